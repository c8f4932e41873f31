// Rows by their place in the data, each with an amount: what a step changed.
#pragma once
#include <vector>

#include "svm/stored_rows.hpp"

namespace banditcd::svm {

struct Changes {
  std::vector<Index> ids;
  std::vector<double> amounts;

  std::size_t size() const { return ids.size(); }
  void clear() {
    ids.clear();
    amounts.clear();
  }
  void push(Index id, double amount) {
    ids.push_back(id);
    amounts.push_back(amount);
  }
  void pop() {
    ids.pop_back();
    amounts.pop_back();
  }
};

}  // namespace banditcd::svm
