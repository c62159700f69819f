/// What is odd about a mesh: facts that are no errors, and that people want to know before they go on.
#ifndef IMPINGE_COMMAND_INFO_REMARKS_H
#define IMPINGE_COMMAND_INFO_REMARKS_H

#include <impinge/mesh.h>

#define MAX_INFO_REMARKS 2

typedef struct InfoRemarks {
    char texts[MAX_INFO_REMARKS][128]; // one line each
    size_t count;
} InfoRemarks;

InfoRemarks info_remarks(const imp_MeshInfo *mesh);

#endif
