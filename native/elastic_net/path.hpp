// A path in Gram space: drafts for its penalties, and the straight lines between them.
//
// The solution is a straight line in l1 until its support changes (quadratic/line.hpp): only the
// two ends of a line become drafts, and the penalties between them are mixtures of both.
#pragma once
#include <functional>
#include <vector>

#include "elastic_net/drafts.hpp"
#include "elastic_net/gram_space.hpp"
#include "quadratic/line.hpp"

namespace banditcd::elastic_net {

// The penalties of a path and the places for its models: cols() coefficients for each.
struct PathRequest {
  const double* l1;
  const double* l2;
  std::size_t count;
  double* coef;
};

class GramPath {
 public:
  // The bins whose pool holds all columns; they outlive this.
  explicit GramPath(Bins& bins) : bins_(bins), space_(bins), certifier_(bins.data(), bins.pool()) {}

  GramSpace& space() { return space_; }
  // A new path, whose work ends at this gap, relative to the null model's objective.
  void start(double work_tol);
  // The point of the pool becomes the draft of a place in the path.
  void add(const Report& report, std::size_t place);
  // From the last draft on, all penalties that its line reaches are solved by the end of the line.
  // Returns the place of the last of them.
  std::size_t follow_line(const PathRequest& request, Watch& watch);
  bool full() const { return drafts_.size() >= bins_.plan().batch_size(); }
  // Certificates for the drafts and for the penalties between them, then finish(draft) for each in
  // the order of the path.
  void settle(const PathRequest& request, const std::function<void(const Draft&)>& finish,
              Watch& watch);

 private:
  bool accepted() const;
  // Drafts of a rough Gram matrix that fall short, again from what the data said about them.
  void refine(Watch& watch);
  std::size_t end_of_line(const PathRequest& request, std::size_t first, Watch& watch);

  Bins& bins_;
  GramSpace space_;
  DraftCertifier certifier_;
  std::vector<Draft> drafts_;
  SolutionLine line_;
  double work_tol_ = 0.0;
  std::size_t wait_ = 0, failures_ = 0;  // penalties until a line is looked for again
};

}  // namespace banditcd::elastic_net
