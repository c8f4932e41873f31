// Constants of the strategy for blocks. None of them affects what is certified.
#pragma once
#include <cstddef>

namespace banditcd::groups {

// Blocks that enter in a bin: at least this many, or as many as are in use already.
constexpr std::size_t kEnterLeast = 10;
// An inner solve aims at this share of the gap of all blocks, and of the target.
constexpr double kPoolShare = 0.03, kTargetShare = 0.3;
// Squares of the cosines of blocks without penalty: this share of what the certificate allows.
constexpr double kOrthogonalShare = 0.1;
// Newton is tried when epochs since the last try cost this share of it; the same while blocks still
// come and go.
constexpr double kNewtonPatience = 0.5, kNewtonRestless = 2.0;
// Data with this many rows for each column, nearly orthogonal columns and noise that alone takes
// most blocks beyond this many thresholds: all blocks enter at once. The residual shrinks, and the
// noise in it stays. With fewer rows passes are cheap beside epochs from the start with all blocks.
constexpr std::size_t kTall = 3;
constexpr double kCrowded = 4.0;
// Squared cosines of orthogonal columns with a vector sum to one at most; nearly orthogonal: this.
constexpr double kNearlyOrthogonal = 2.0;
// A Gram matrix in single precision goes when a bin without new blocks leaves this share of the
// gap.
constexpr double kRoughProgress = 0.1;
// Rounds of one inner solve, and epochs over the blocks in use in a round.
constexpr int kRounds = 500, kRoundsOnResidual = 100, kEpochsInUse = 4;
// Quadratic models of a loss that is not one, in a bin.
constexpr int kModels = 8;

}  // namespace banditcd::groups
