/// Input that every rank reads by itself: is it the same for all of them?
#ifndef IMPINGE_CLUSTER_SAME_INPUT_H
#define IMPINGE_CLUSTER_SAME_INPUT_H

#include "cluster/exchange.h"

#include <impinge/base.h>

/// All ranks call this together with what came of reading the file (its error in the context), and if it was
/// read, with a number made of all that matters in it and of what is asked about it. The status is the same
/// on all ranks, as is the error: that of the first rank which could not read it, or IMP_STATUS_BAD_FILE
/// where some rank's number is not that of rank 0.
imp_Status impi_same_input(const impi_Exchange *exchange, imp_Context *context, const char *path,
                           imp_Status status, uint64_t check);

#endif
