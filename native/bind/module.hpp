#pragma once
#include <nanobind/nanobind.h>

void bind_data(nanobind::module_& m);
void bind_engine(nanobind::module_& m);
void bind_problem(nanobind::module_& m);
void bind_kernels(nanobind::module_& m);
void bind_structures(nanobind::module_& m);
void bind_record(nanobind::module_& m);
void bind_record_parts(nanobind::module_& m);
void bind_logistic(nanobind::module_& m);
void bind_smooth(nanobind::module_& m);
void bind_svm(nanobind::module_& m);
