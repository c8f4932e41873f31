// Two ways to a good start: larger penalties first where the problem is saturated, and the solution
// of a sample of the rows.
#pragma once
#include "elastic_net/bins.hpp"

namespace banditcd::elastic_net {

// Continuation: where a start from zero would put far too many columns into the pool, a few larger
// penalties, solved roughly, keep it lean.
void start_from_larger_penalties(Bins& bins, Report& report, Watch& watch);

// With many more rows than columns a part of the rows already shows which columns matter: solves
// that part roughly, and lets its solution and its near misses be the first pool. target: of the
// solve that follows. False if a sample is not worth it, or told nothing.
bool start_from_sample(Bins& bins, double target, Watch& watch);

}  // namespace banditcd::elastic_net
