/// Touching faces that filters keep of pairs of bodies: all of them, or no more than were asked for.
#ifndef IMPINGE_OBJECT_KEPT_FACES_H
#define IMPINGE_OBJECT_KEPT_FACES_H

#include "object/filter.h"

typedef IMPI_ARRAY(impi_FaceKey) impi_FaceKeys;

/// One list for each pair that has touching faces, in no order. Lists beyond `used` are empty and keep their
/// memory.
typedef struct impi_FaceLists {
    IMPI_ARRAY(impi_FaceKeys) lists;
    size_t used;
} impi_FaceLists;

#define IMPI_NO_LIST UINT32_MAX

void impi_face_lists_destroy(const imp_Allocator *allocator, impi_FaceLists *lists);

/// How many faces are kept of a pair.
size_t impi_kept_face_count(const impi_FaceLists *lists, const impi_PairWork *pair);

/// Have a list for a pair. False when out of memory.
bool impi_faces_have_list(const impi_FilterRun *run, impi_PairWork *pair);

/// Add touching faces to those that are kept of a pair, if there is room for any. False when out of memory.
bool impi_faces_add(const impi_FilterRun *run, impi_PairWork *pair, const impi_FaceKey *found, size_t count);

/// More faces were counted: how many may still be kept of each pair, if no more than max_faces are kept in
/// the order of pairs and faces? The more is found of earlier pairs, the less is kept of later ones. Lists
/// that have become too long are cut; unless `is_last`, not before it pays. Pairs behind the limit are not
/// asked for faces any more, unless all are to be counted. Uses the context's scratch arena. False when out
/// of memory.
bool impi_faces_cut(const impi_FilterRun *run, bool is_last);

#endif
