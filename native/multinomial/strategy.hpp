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
// Of a product in double: what one in single precision costs, as preconditioners have it.
constexpr double kRoughShare = 0.55;
// Nanoseconds of a coordinate of a quasi-Newton step, whose pairs are read twice.
constexpr double kPairsEntry = 8.0;
// What the arms are expected to need (regime.cpp), fitted to nine sets, dense and sparse, tall and
// wide. Quasi-Newton steps: with the digits of the gap to the power 1.5. Newton steps: a few, and
// some for each digit, fewer from a sample's solution; products in each, by preconditioner, and how
// often that is made. The crowd of rows on columns, between bounds.
constexpr double kQuasiSteps = 1.7, kSteps = 3.0, kDigit = 0.6;
constexpr double kSampledSteps = 0.3, kSampledDigit = 0.55, kSeparatedSteps = 0.5;
constexpr double kLeastProducts = 1.5, kMoreProducts = 4.0, kBlockProducts = 3.5,
                 kCoupledProducts = 2.5, kUpdates = 1.3, kBlockUpdates = 0.5;
constexpr double kCrowd = 0.42, kLeastCrowded = 0.6, kMostCrowded = 1.8;
// Of all iterations that are allowed: quasi-Newton steps before Newton's follow, which are fewer.
constexpr double kMemoryShare = 0.5;
// Nanoseconds that the blocks of a preconditioner may always cost before a solve is given up.
constexpr double kLastResort = 1e8;
// Where the blocks of a preconditioner cost less than this many nanoseconds they are made anew at
// every step, and intercepts are exact at every point: a step then depends on its point alone, so
// that two fits of one step are one fit of two.
constexpr double kMemoryless = 1.7e4;
// A start from one row in kSampleStep, if that leaves enough rows per coefficient.
constexpr std::size_t kSampleStep = 8, kRowsPerUnknown = 3;
constexpr double kSampleTolerance = 1e-3;
// Such a start is good enough when a step lowers the objective by this share of what the sample is
// expected to be off by: half of its unknowns, in units of the loss of one of its rows.
constexpr double kSampleShare = 0.05;
// How far the objective of coefficients may be from that of the predictors that were carried along:
// of the target, and of the null model's objective.
constexpr double kOffTarget = 0.1, kOffNull = 1e-10;
// The matrix of a sample pays where that of all rows costs this many steps beside their models, and
// may cost this many epochs. Steps with it go on while the decrease that the
// model promises falls to this share from one to the next; the share of its own gap that a model is
// minimized to; steps between two looks at all columns.
constexpr double kSampledWorth = 4.0, kSampledEpochs = 10.0, kSampledFall = 0.25,
                 kSampledModel = 1e-4;
constexpr int kSampledTurns = 12;
// A pool of more than this share of all coordinates takes in the others: no look at them is due.
constexpr double kNearlyAll = 0.9;
// Rows of the sample for each unknown, at least, for the factor of its whole Hessian.
constexpr std::size_t kCoupledRows = 6;
// A matrix comes from one row in this many, at most.
constexpr std::size_t kDensestSample = 4;

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
