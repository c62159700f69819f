/// The contacts of an answer, in the order of bodies and faces.
#ifndef IMPINGE_WORLD_ANSWER_CONTACTS_H
#define IMPINGE_WORLD_ANSWER_CONTACTS_H

#include "world/answer.h"

/// Find those of all results whose faces are all listed, on all threads; those of pairs that have not changed
/// are taken over from the last answer. Results that have none for want of faces or time say so. Uses the
/// context's scratch arena. IMP_STATUS_OUT_OF_MEMORY, IMP_STATUS_CANCELLED or OK.
imp_Status impi_answer_list_contacts(imp_Context *context, const impi_AnswerDef *def, impi_Answer *answer,
                                     impi_ObjectStage *stage, impi_Budget *budget);

#endif
