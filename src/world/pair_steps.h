/// In which order pairs are asked about, how many in one go, and when it is enough.
#ifndef IMPINGE_WORLD_PAIR_STEPS_H
#define IMPINGE_WORLD_PAIR_STEPS_H

#include "world/answer.h"

/// Ask about the results of the answer that are open:
/// - with a budget, beginning where the last one ended, so that no pair waits forever;
/// - in mode IMP_DETECT_FIRST, until one has a relation; if that is touch, about its faces;
/// - up to the pair that max_face_pairs ends at for faces, of later ones only whether they touch, unless all
///   are to be counted.
/// It ends early when the budget is over, cancelled or spent. IMP_STATUS_OUT_OF_MEMORY or OK.
imp_Status impi_pair_steps(imp_Context *context, impi_ObjectStage *stage, const impi_ObjectAsk *ask,
                           const impi_AnswerDef *def, impi_Answer *answer);

#endif
