#pragma once
#include <nanobind/nanobind.h>

void bind_kernels(nanobind::module_& m);
