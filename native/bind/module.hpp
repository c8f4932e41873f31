// One function per topic, each in its own file.
#pragma once
#include <nanobind/nanobind.h>

void bind_arms(nanobind::module_& m);
void bind_data(nanobind::module_& m);
void bind_engine(nanobind::module_& m);
void bind_problem(nanobind::module_& m);
void bind_kernels(nanobind::module_& m);
void bind_labels(nanobind::module_& m);
void bind_kernel_parts(nanobind::module_& m);
void bind_structures(nanobind::module_& m);
void bind_matrices(nanobind::module_& m);
void bind_report(nanobind::module_& m);
void bind_pool(nanobind::module_& m);
void bind_elastic_net(nanobind::module_& m);
void bind_parts(nanobind::module_& m);
void bind_logistic(nanobind::module_& m);
void bind_multinomial(nanobind::module_& m);
void bind_ridge(nanobind::module_& m);
void bind_svm(nanobind::module_& m);
void bind_groups(nanobind::module_& m);
