// The extension module: only bindings live in native/bind, one file per topic. What only tests use
// is in the submodule `parts`.
#include "bind/module.hpp"

NB_MODULE(_core, m) {
  m.doc() = "Compiled kernels of banditcd.";
  // A daemon thread in the middle of a fit when the interpreter exits keeps its arrays: no leak.
  nanobind::set_leak_warnings(false);
  bind_problem(m);
  bind_engine(m);
  bind_data(m);
  bind_kernels(m);
  bind_labels(m);
  bind_matrices(m);
  bind_report(m);
  bind_pool(m);
  bind_elastic_net(m);
  bind_logistic(m);
  bind_multinomial(m);
  bind_arms(m);
  bind_ridge(m);
  bind_svm(m);
  bind_groups(m);
  nanobind::module_ parts = m.def_submodule("parts", "Parts of the solvers, for tests.");
  bind_kernel_parts(parts);
  bind_structures(parts);
  bind_parts(parts);
}
