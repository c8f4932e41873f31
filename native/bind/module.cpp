// The extension module: only bindings live in native/bind, one file per topic.
#include "bind/module.hpp"

NB_MODULE(_core, m) {
  m.doc() = "Compiled kernels of banditcd.";
  bind_problem(m);
  bind_engine(m);
  bind_kernels(m);
  bind_data(m);
  bind_structures(m);
  bind_record(m);
  bind_record_parts(m);
  bind_logistic(m);
  bind_smooth(m);
  bind_svm(m);
}
