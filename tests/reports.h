/// Reports of worlds compared with each other, and with lists of pairs that a model makes.
#ifndef IMPINGE_TESTS_REPORTS_H
#define IMPINGE_TESTS_REPORTS_H

#include <impinge/world.h>

#include <string.h>

#define MAX_LISTED_PAIRS 1024

typedef struct PairList {
    imp_BodyPair pairs[MAX_LISTED_PAIRS];
    size_t count;
} PairList;

/// Lists may be empty, and then null.
static inline bool are_same_bytes(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}

/// The pair of the same bodies, whatever their relation; null when there is none.
static inline const imp_BodyPair *find_pair(const PairList *list, const imp_BodyPair *pair)
{
    for (size_t i = 0; i < list->count; ++i)
        if (memcmp(&list->pairs[i].body_a, &pair->body_a, sizeof pair->body_a) == 0 &&
            memcmp(&list->pairs[i].body_b, &pair->body_b, sizeof pair->body_b) == 0)
            return &list->pairs[i];
    return NULL;
}

/// The pairs of `list` that `other` lacks.
static inline void list_missing(const PairList *list, const PairList *other, PairList *missing)
{
    missing->count = 0;
    for (size_t i = 0; i < list->count; ++i)
        if (!find_pair(other, &list->pairs[i]))
            missing->pairs[missing->count++] = list->pairs[i];
}

static inline bool is_list(const imp_BodyPair *pairs, size_t count, const PairList *wanted)
{
    return count == wanted->count && are_same_bytes(pairs, wanted->pairs, count * sizeof *pairs);
}

/// For qsort and bsearch: the order of reports, slots first.
static inline int compare_body_pairs(const void *left, const void *right)
{
    const imp_BodyPair *a = left, *b = right;
    const uint32_t keys_a[4] = {a->body_a.slot, a->body_b.slot, a->body_a.generation, a->body_b.generation};
    const uint32_t keys_b[4] = {b->body_a.slot, b->body_b.slot, b->body_a.generation, b->body_b.generation};
    int i = 0;
    while (i < 3 && keys_a[i] == keys_b[i])
        ++i;
    return (keys_a[i] > keys_b[i]) - (keys_a[i] < keys_b[i]);
}

/// Contacts, curves and all, byte by byte.
static inline bool same_contacts(const imp_Report *a, const imp_Report *b)
{
    return a->contact_count == b->contact_count && a->contact_face_count == b->contact_face_count &&
           a->polyline_count == b->polyline_count && a->curve_point_count == b->curve_point_count &&
           are_same_bytes(a->contacts, b->contacts, a->contact_count * sizeof *a->contacts) &&
           are_same_bytes(a->contact_faces, b->contact_faces,
                          a->contact_face_count * sizeof *a->contact_faces) &&
           are_same_bytes(a->polylines, b->polylines, a->polyline_count * sizeof *a->polylines) &&
           are_same_bytes(a->curve_points, b->curve_points, a->curve_point_count * sizeof *a->curve_points);
}

/// All that two reports say, except that addresses differ.
static inline bool same_reports(const imp_Report *a, const imp_Report *b)
{
    return a->body_pair_count == b->body_pair_count && a->face_pair_count == b->face_pair_count &&
           a->face_pair_total == b->face_pair_total && a->truncated == b->truncated &&
           a->begun_count == b->begun_count && a->ended_count == b->ended_count &&
           a->undecided_count == b->undecided_count && a->total_is_lower_bound == b->total_is_lower_bound &&
           a->budget_spent == b->budget_spent && a->open_container_count == b->open_container_count &&
           a->candidate_body_pairs == b->candidate_body_pairs &&
           a->candidate_face_pairs == b->candidate_face_pairs &&
           are_same_bytes(a->body_pairs, b->body_pairs, a->body_pair_count * sizeof *a->body_pairs) &&
           are_same_bytes(a->face_pairs, b->face_pairs, a->face_pair_count * sizeof *a->face_pairs) &&
           are_same_bytes(a->begun, b->begun, a->begun_count * sizeof *a->begun) &&
           are_same_bytes(a->ended, b->ended, a->ended_count * sizeof *a->ended) &&
           are_same_bytes(a->undecided, b->undecided, a->undecided_count * sizeof *a->undecided) &&
           are_same_bytes(a->open_containers, b->open_containers,
                          a->open_container_count * sizeof *a->open_containers) &&
           same_contacts(a, b);
}

#endif
