// Whether the squares of the columns can be believed.
//
// A column moves by its correlation over its square, and one whose square is zero is taken for a
// column without entries: it does not move and does not bound the dual point. Squares that
// overflow, or that vanish though the entries do not, would so certify a wrong point.
#pragma once
#include <vector>

#include "columns/design.hpp"
#include "solve/penalty.hpp"

namespace banditcd {

// Throws std::overflow_error if a sum of squares is not finite.
void check_finite(const std::vector<double>& square);
// Throws std::overflow_error if a square is not finite, if they all vanish beside X, or if that of
// a column without a penalty does: a penalty outweighs a column that is so short, nothing else
// does. Asked with the first penalties, and again when both are zero.
void check_squares(const Design& design, const std::vector<double>& square,
                   const Penalties& penalties);

}  // namespace banditcd
