/// `impinge sweep --queries`: first times of moving features, from one NumPy file into another.
#ifndef IMPINGE_APPS_SWEEP_QUERIES_H
#define IMPINGE_APPS_SWEEP_QUERIES_H

#include "command.h"

/// Read the queries of the only argument, find out when each touches first, and write and print it; or, with
/// --sample, write queries to try it on. Says what went wrong.
CommandResult sweep_queries(const Options *options, impi_Text *output);

#endif
