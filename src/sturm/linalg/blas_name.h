// SPDX-License-Identifier: BSD-3-Clause
// A routine's name as the BLAS at hand spells it: copies of OpenBLAS that travel in Python packages put a prefix before
// each name, so that several of them can live in one process. cmake/ says which (STURM_BLAS_PREFIX).
#pragma once

#ifndef STURM_BLAS_PREFIX
#define STURM_BLAS_PREFIX
#endif

#define STURM_BLAS_JOIN(prefix, name) prefix##name
#define STURM_BLAS_EXPAND(prefix, name) STURM_BLAS_JOIN(prefix, name)
#define STURM_BLAS(name) STURM_BLAS_EXPAND(STURM_BLAS_PREFIX, name)
