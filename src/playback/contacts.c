#include "playback/contacts.h"

#include "base/context.h"

#include <stdlib.h>

// Relations are bits, one after the other.
#define FIRST_RELATION IMP_RELATION_TOUCH
#define LAST_RELATION  IMP_RELATION_B_INSIDE_A

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_bodies(const impi_Contact *a, const impi_Contact *b)
{
    int order = compare_numbers(a->body_a, b->body_a);
    return order ? order : compare_numbers(a->body_b, b->body_b);
}

static int compare_by_relation(const void *left, const void *right)
{
    const impi_Contact *a = left, *b = right;
    int order = compare_bodies(a, b);
    order = order ? order : compare_numbers(a->relation, b->relation);
    return order ? order : compare_numbers(a->first_frame, b->first_frame);
}

static int compare_by_frame(const void *left, const void *right)
{
    const impi_Contact *a = left, *b = right;
    int order = compare_bodies(a, b);
    order = order ? order : compare_numbers(a->first_frame, b->first_frame);
    return order ? order : compare_numbers(a->relation, b->relation);
}

static bool same_bodies(const impi_Contact *a, const impi_Contact *b)
{
    return compare_bodies(a, b) == 0;
}

// One contact for each pair, relation and frame.
static void list_frames(const impi_History *history, impi_Contacts *contacts)
{
    for (size_t f = 0; f < history->frames.count; ++f) {
        impi_PlayedFrame frame = impi_history_frame(history, f);
        for (size_t i = 0; i < frame.pair_count; ++i) {
            const impi_PlayedPair *pair = &frame.pairs[i];
            for (uint32_t r = FIRST_RELATION; r <= LAST_RELATION; r <<= 1)
                if (pair->relations & r)
                    contacts->contacts[contacts->count++] = (impi_Contact){
                        .body_a = pair->body_a,
                        .body_b = pair->body_b,
                        .relation = (imp_Relation)r,
                        .overlaps = r == IMP_RELATION_TOUCH && pair->overlaps,
                        .first_frame = (uint32_t)f,
                        .last_frame = (uint32_t)f,
                        .most_face_pairs = r == IMP_RELATION_TOUCH ? pair->face_pair_count : 0};
        }
    }
}

// Join those that follow each other; they are sorted by relation.
static void join_frames(impi_Contacts *contacts)
{
    size_t kept = 0;
    for (size_t i = 0; i < contacts->count; ++i) {
        impi_Contact *last = kept ? &contacts->contacts[kept - 1] : NULL;
        const impi_Contact *next = &contacts->contacts[i];
        if (!last || !same_bodies(last, next))
            ++contacts->body_pair_count;
        if (last && same_bodies(last, next) && last->relation == next->relation &&
            last->last_frame + 1 == next->first_frame) {
            last->last_frame = next->last_frame;
            last->overlaps = last->overlaps || next->overlaps;
            if (next->most_face_pairs > last->most_face_pairs)
                last->most_face_pairs = next->most_face_pairs;
        } else {
            contacts->contacts[kept++] = *next;
        }
    }
    contacts->count = kept;
}

imp_Status impi_contacts_find(imp_Context *context, const impi_History *history, impi_Contacts *contacts)
{
    impi_Contacts found = {0};
    for (size_t i = 0; i < history->pairs.count; ++i)
        for (uint32_t r = FIRST_RELATION; r <= LAST_RELATION; r <<= 1)
            found.capacity += (history->pairs.data[i].relations & r) != 0;
    found.contacts = impi_allocate_array(&context->allocator, found.capacity, sizeof *found.contacts);
    if (found.capacity && !found.contacts)
        return impi_fail_out_of_memory(context);
    list_frames(history, &found);
    if (found.count)
        qsort(found.contacts, found.count, sizeof *found.contacts, compare_by_relation);
    join_frames(&found);
    if (found.count)
        qsort(found.contacts, found.count, sizeof *found.contacts, compare_by_frame);
    *contacts = found;
    return IMP_STATUS_OK;
}

void impi_contacts_free(imp_Context *context, impi_Contacts *contacts)
{
    if (contacts->contacts)
        impi_release(&context->allocator, contacts->contacts,
                     contacts->capacity * sizeof *contacts->contacts);
    *contacts = (impi_Contacts){0};
}

static int compare_frames(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return compare_numbers(*a, *b);
}

size_t impi_contacts_first_frames(const impi_Contacts *contacts, uint32_t *frames)
{
    size_t pair_count = 0, kept = 0;
    for (size_t i = 0; i < contacts->count; ++i) {
        const impi_Contact *contact = &contacts->contacts[i];
        if (i == 0 || !same_bodies(contact, contact - 1))
            frames[pair_count++] = contact->first_frame;
    }
    if (pair_count)
        qsort(frames, pair_count, sizeof *frames, compare_frames);
    for (size_t i = 0; i < pair_count; ++i)
        if (kept == 0 || frames[kept - 1] != frames[i])
            frames[kept++] = frames[i];
    return kept;
}
