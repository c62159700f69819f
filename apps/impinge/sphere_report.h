/// What is told of sets of spheres: coverage, counts, protrusions, time.
#ifndef IMPINGE_APPS_SPHERE_REPORT_H
#define IMPINGE_APPS_SPHERE_REPORT_H

#include "kit/text.h"
#include "sphere_sets.h"

void sphere_report_put(const SphereSets *sets, impi_Text *output);     ///< for people
void sphere_report_put_csv(const SphereSets *sets, impi_Text *output); ///< a line for each level
void sphere_report_put_json(const SphereSets *sets, impi_Text *output);

#endif
