/// The touching faces of an answer, in the order of bodies and faces.
#ifndef IMPINGE_WORLD_ANSWER_FACES_H
#define IMPINGE_WORLD_ANSWER_FACES_H

#include "world/answer.h"

/// List those of all results, the new ones from the stage's lists and the others from the last answer, up to
/// max_face_pairs, and write what the report says of them. Unless all are to be counted, results behind the
/// one where the limit is passed have no faces from then on, and say that these are unanswered.
/// IMP_STATUS_OUT_OF_MEMORY or OK. Uses the context's scratch arena.
imp_Status impi_answer_list_faces(imp_Context *context, const impi_AnswerDef *def, impi_Answer *answer,
                                  impi_ObjectStage *stage);

#endif
