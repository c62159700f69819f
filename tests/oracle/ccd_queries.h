/// Queries about moving features with known answers, from the sample data beside the project (ccd/, which
/// has a README of its own): rational numbers in CSV files.
#ifndef IMPINGE_TESTS_CCD_QUERIES_H
#define IMPINGE_TESTS_CCD_QUERIES_H

#include "sweep_cases.h"

typedef struct CcdQuery {
    imp_Vec3 points[8]; ///< in the order of sweep_cases.h
    SweepFeatures features;
    bool is_hit;
    const char *folder; ///< as "unit-tests"; constant text
    int file, number;   ///< it is query `number` of data_0_`file`.csv
} CcdQuery;

typedef struct CcdQueries {
    CcdQuery *queries;
    size_t count;
    size_t not_double_count; ///< left out, because a coordinate is not a double
    size_t malformed_count;  ///< files that could not be read to their end
} CcdQueries;

/// Read all files; `dir` is that of test_data_dir(). False when there is no folder `ccd`.
bool ccd_queries_load(const char *dir, CcdQueries *queries);

void ccd_queries_release(CcdQueries *queries);

#endif
