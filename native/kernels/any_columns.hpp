// The columns of a matrix in one of four storages.
#pragma once
#include <variant>

#include "kernels/columns.hpp"

namespace banditcd {

using AnyColumns =
    std::variant<DenseColumns<double>, DenseColumns<float>, CscColumns<double>, CscColumns<float>>;

}  // namespace banditcd
