// Constants of the strategies of multinomial logistic regression. None of them affects what is
// certified.
#pragma once
#include <cstddef>

namespace banditcd::multinomial {

// Steps in a row that lower neither the objective nor the gap, the gap by this factor at least:
// rounding has the last word.
constexpr std::size_t kPatience = 2;
constexpr double kShrunk = 0.5;
// Of the null model's objective: below this gap a target that rounding may keep out of reach is
// worth quick steps only.
constexpr double kFine = 1e-10;
constexpr double kArmijo = 1e-4;
// Where the probabilities of a class are zeros and ones its intercept has no curvature left: a
// model may lead that far beyond the best length.
constexpr double kLeastStep = 1e-18;
// Of the objective, in a comparison of two of its values.
constexpr double kRounding = 1e-14;

// A step whose model promises less than this many targets may be the last: the dual point that it
// predicts is made.
constexpr double kHopeful = 100.0;
// Of the null model's objective: a step that gains more than about this is never solved as if it
// were the last. Its model is not that good, whatever the target.
constexpr double kLoosestAim = 1e-3;
// Of the blocks of a preconditioner, or of the pairs of quasi-Newton steps.
constexpr double kMostBytes = 2e9;
// Passes that all blocks, or the one that they share, may cost.
constexpr double kBlockPasses = 12.0;
// Tolerances from which on quasi-Newton steps get there before the blocks of Newton's are paid.
constexpr double kLoose = 1e-3;
// Of all iterations that are allowed: quasi-Newton steps before Newton's follow, which are fewer.
constexpr double kMemoryShare = 0.5;
// Nanoseconds that the blocks of a preconditioner may always cost before a solve is given up.
constexpr double kLastResort = 1e8;
// Where the blocks of a preconditioner cost less than this many nanoseconds they are made anew at
// every step, and intercepts are exact at every point: a step then depends on its point alone, so
// that two fits of one step are one fit of two.
constexpr double kMemoryless = 3e4;
// A start from one row in kSampleStep, if that leaves enough rows per coefficient.
constexpr std::size_t kSampleStep = 8, kRowsPerUnknown = 3;
constexpr double kSampleTolerance = 1e-3;
// Such a start is good enough when a step lowers the objective by this share of what the sample is
// expected to be off by: half of its unknowns, in units of the loss of one of its rows.
constexpr double kSampleShare = 0.05;
// Rows of the sample for each unknown, at least, for the factor of its whole Hessian.
constexpr std::size_t kCoupledRows = 6;

// Proximal Newton steps between two looks at all columns, and the share of the gap on the pool at
// which that look is due.
constexpr int kStepsPerBin = 8;
constexpr double kBinShare = 0.1;
// A model is minimized to this share of the gap, or to this share of the target; a pool is good
// enough at this one.
constexpr double kModelShare = 0.03, kModelLeast = 0.05, kPoolShare = 0.3;
// A proximal step is cut down to this before its model is damped instead; the damping, relative to
// the diagonal: where it starts, what a cut step leads to, and one cut below kCut or not taken at
// all, and how it grows and falls.
constexpr double kLeastCut = 1e-3, kCut = 0.1;
constexpr double kLeastDamping = 1e-10, kCutDamping = 1e-4, kFailedDamping = 0.3,
                 kMostDamping = 1e4, kMoreDamping = 30.0;
// Looks at all columns without progress, at most, and the share of what can be gained that is
// progress. Nearly no L1 penalty on dependent columns leaves directions without curvature, along
// which steps go down at a crawl.
constexpr double kIdleBins = 10.0, kIdleShare = 0.02, kLeastBin = 0.1;
// Steps in a row that end a bin early: neither the objective nor the gap on the pool falls by this
// share of that gap.
constexpr int kIdleSteps = 2;
constexpr double kIdleStep = 1e-4;
// A step that gains less than this share of what all steps of its bin did is the last of them: the
// pool has little more to give.
constexpr double kBinGain = 0.05;
// Epochs on a model, at most: where Newton steps fail on it and descent crawls, the next model says
// more than the end of this one.
constexpr std::size_t kModelEpochs = 4000;
// New coordinates of a pool, at least.
constexpr std::size_t kLeastNew = 100;
// Epochs on a model end when what is left is this share of what they brought; nanoseconds of an
// entry of one.
constexpr double kEpochShare = 0.03, kDenseEpoch = 0.3, kSparseEpoch = 3.0;
// What a step costs beside its model, for each row and class.
constexpr double kStepEntry = 30.0;

}  // namespace banditcd::multinomial
