/// The lists of bodies in a report.
#ifndef IMPINGE_WORLD_REPORT_LISTS_H
#define IMPINGE_WORLD_REPORT_LISTS_H

#include "world/answer.h"
#include "world/broad_stage.h"

/// Add those of the results to the answer's list of open containers. False when out of memory.
bool impi_list_open_containers(const imp_Allocator *allocator, const impi_AnswerDef *def,
                               impi_Answer *answer);

/// From the results: related and undecided pairs, open containers, what has begun and what has ended since
/// the last answer. False when out of memory.
bool impi_report_lists(const imp_Allocator *allocator, const impi_AnswerDef *def,
                       const impi_Estimates *estimates, impi_Answer *answer);

#endif
