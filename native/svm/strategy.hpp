// Constants of the strategy: which method runs, when it hands over to another, and how each works.
//
// Times are in nanoseconds on one core. None of them affects what is certified.
#pragma once
#include <cstddef>

#include "kernels/prices.hpp"

namespace banditcd::svm {

// One stored entry of a shuffled dot and axpy.
constexpr double kSparseSweep = 0.6, kDenseSweep = 0.45;
// The same of a matrix with more entries than the caches hold.
constexpr double kFarSweep = 0.6, kFarEntries = 4e6;
// A shuffled entry of a copy in single precision, and of the long rows that it was made from, where
// they are within reach of the caches.
constexpr double kCopySweep = 0.2, kLongSweep = 0.25;
// Descent reads dense rows in single precision from this many entries on, while the gap is above
// this share of the whole cost (for the hinge, and for its square), if the squares of the rows lie
// between these bounds. Where there is no copy yet, it pays if at least this many passes are
// expected.
constexpr double kCopyPasses = 25.0;
constexpr double kCopyEntries = 5e5, kCopyTarget = 5e-7, kCopySquaredTarget = 1e-11;
constexpr double kCopyLeast = 1e-40, kCopyMost = 1e40;
// One row that descent visits, beside its entries.
constexpr double kVisit = 14.0;
// Newton's sums of outer products were tuned with these multiples of the kernels' prices.
constexpr double kScatterHandicap = 1.25, kProductHandicap = 4.0 / 3.0;
constexpr double kScatterProduct = kScatterHandicap * kScatterNear;
constexpr double kPackedProduct = kProductHandicap * kProduct;
// What an entry costs beside the product in single precision.
constexpr double kRoughEntry = 2.0;
// Newton was tuned with factorizations at twice their price. Per cube of the size.
constexpr double kNewtonHandicap = 2.0;
constexpr double kFactor = kNewtonHandicap * kCholesky / 6.0;

// Newton in feature space has a matrix up to this many coordinates: two matrices of 32 MB.
constexpr std::size_t kNewtonColumns = 2000;
// Squared hinge, beyond, and wherever the matrix costs much more: directions by conjugate
// gradients. The share of the gradient that they leave, how far beyond the step is searched, and
// the products that rounding may take in addition to one per coordinate.
constexpr double kCgShare = 0.4, kCgReach = 2.0;
constexpr std::size_t kCgSpare = 50;
// A guess at the passes they take, at the start and per decade of the gap.
constexpr double kCgFirst = 20.0, kCgDecade = 8.0;
// They are tried where a matrix costs more than this times the guess.
constexpr double kCgWorth = 4.0;
// Descent is forecast to take as long as its pace says, though not more than this times as long as
// without a forecast.
constexpr double kForecast = 8.0;
// Steps of Newton at the start and per decade of the gap, for the squared hinge and for the hinge
// (whose Hessian changes by this share of its cost per step), and the passes that a step reads.
constexpr double kStepPasses = 1.5;
constexpr double kNewtonFirst = 3.0, kNewtonDecade = 0.4;
constexpr double kProximalFirst = 8.0, kProximalDecade = 8.0, kProximalOuter = 0.4;
// Descent with a rival: the passes of its first bins, how bins grow, and the passes that tell how
// descent does.
constexpr double kShortBin = 2.0, kLongerBin = 0.5, kProbePasses = 4.5;
// Descent is given up after one pass if the gap is above this share of the first, and that pass
// gained so little of it that more passes like this one would be needed; above another share if the
// price of the rival is a guess.
constexpr double kCrawlGap = 0.1, kGuessedCrawlGap = 0.65, kCrawlPasses = 20.0;

// Hinge: Newton takes over the pair of descent below this gap, relative to the null model.
constexpr double kWarmGap = 0.02;

// Where rows outnumber features by this factor and C |z|^2 is not small, descent is not tried.
constexpr double kTall = 1000.0, kTallStrength = 0.5;

// Hinge: where C |z|^2 is at most this, and the target at least this share of the null model's
// objective, descent is tried however little Newton would cost.
constexpr double kEasyStrength = 1.0, kEasyTarget = 1e-6;

// A start from a sample of the rows: shares, accuracies, and the rows per feature it needs.
constexpr std::size_t kSampleShares[] = {16, 4};
constexpr double kSampleGaps[] = {1e-2, 3e-3};
constexpr std::size_t kSampleRowsPerColumn = 16;

// The Gram matrix of the rows: at most of this many, with about this many passes over its factor.
constexpr std::size_t kGramRows = 1500;
constexpr double kGramPasses = 30.0;

// Coordinate descent: passes inside a bin, when to leave it, how eagerly rows are dropped.
constexpr std::size_t kFirstPasses = 1, kInnerPasses = 30;
constexpr double kLeaveShareOfGap = 0.03, kLeaveShareOfFirst = 0.1, kDropShare = 0.3;

// A bin ends when the gap is expected below this share of the target, if a pass gains less than
// this share of the pass before; the gain of the first pass ever makes the second look too good.
constexpr double kArrivedShare = 0.7, kArrivedPace = 0.7, kLeastPace = 0.025;

// Rows that stay together when a pass is shuffled; more of them when w leaves the first cache.
constexpr std::size_t kBlock = 4, kWideBlock = 8;
// Rows that moved by this share of the steepest gradient are revisited, at most kRevisits times and
// while a visit gains this share of the first, when a pass still gains this share of the pass
// before.
constexpr double kFarShare = 0.15, kRevisitShare = 0.2, kSlow = 0.3;
constexpr std::size_t kRevisits = 100;
// A bin is idle if its passes gained no more than this share of the gap, and the gap fell to no
// less than this share of the one before. Descent has stalled after this many idle bins in a row:
// the accuracy of the data is exhausted. With a free intercept, whose multiplier moves once a bin,
// the gap falls less regularly.
constexpr double kIdleGain = 1e-4, kIdleFall = 0.999;
constexpr std::size_t kIdleBins = 200, kIdleBinsFree = 500;

// Snapshots of w for the lazy bounds, at most as many as fit into the entries of X.
constexpr std::size_t kSnapshots = 24, kSnapshotsWide = 6, kWideColumns = 4000;
constexpr std::size_t kSnapshotsLeast = 2;

// Shares of the target that methods aim at, one after the other. Rounding may leave the gap of the
// data above the one that a method saw: the first share allows for a little of it. Where there was
// more, the method goes further below, and reads no copy in single precision, whose rounding is
// the likely cause.
constexpr double kAims[] = {0.98, 0.3, 0.03};

// Newton's last steps are cheap: for the squared hinge it aims at this share of the target, though
// not below this share of the whole cost, where rounding has the word. The hinge does so where the
// target is a share of the objective, and not below this share of that. Where the tolerance is
// looser than the usual one, somebody asked for that, and the share of it grows with the square.
constexpr double kLastSteps = 1e-4, kLastAim = 1e-12, kUsualTolerance = 1e-4;
constexpr double kHingeLastSteps = 1e-3, kHingeLastAim = 1e-8;
// Of the gap: a smaller sum of the gap and the dual value has lost its digits.
constexpr double kCanceled = 1e-9;
// Solves with a smaller target, after the objective itself turned out to be small.
constexpr std::size_t kTighter = 4;

// Squared hinge: steps with a Hessian from single precision before the exact one is built, and the
// largest entries it may have.
constexpr std::size_t kRoughSteps = 6;
constexpr double kRoughMost = 1e30;

// The search along a Newton step ends where the slope is below this share of the first; a direction
// by conjugate gradients costs so much more than the search that all of it is used.
constexpr double kFlatSlope = 0.3, kCgFlatSlope = 0.05;

// Without free rows a step of a free intercept has no length: it is cut at this many times the
// farthest margin, beyond all kinks.
constexpr double kFarBias = 1e3;

// Newton has stalled after this many steps in a row that left more than this share of the best gap.
constexpr double kIdleStep = 0.9;
constexpr std::size_t kIdleSteps = 120;

// Proximal Newton from a pair: the proximal weight at the start, in units of 1 / (C |z|^2).
constexpr double kProximalStart = 10.0;
// Proximal Newton from weights alone: rows within a band around their goal are free. It holds one
// row in kBandShare and kBandRowsPerColumn per feature, and is at least kBandLeast wide; at its
// edge dual variables are kBandReach of their cost away from the middle of the box.
constexpr std::size_t kBandShare = 10, kBandRowsPerColumn = 2;
constexpr double kBandReach = 0.45, kBandLeast = 1e-3;
// Proximal Newton: growth of the proximal weight, inner steps before it shrinks again.
constexpr double kProximalGrowth = 2.5, kProximalShrink = 16.0;
constexpr std::size_t kProximalSteps = 30;
// A predicted step is taken if at least this share of it descends.
constexpr double kPredictedLeast = 0.1;

}  // namespace banditcd::svm
