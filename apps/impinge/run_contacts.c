#include "run_contacts.h"

#include "relations.h"

#include <stdlib.h>

static int compare_numbers(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

static int compare_bodies(const RunContact *a, const RunContact *b)
{
    int order = compare_numbers(a->body_a, b->body_a);
    return order ? order : compare_numbers(a->body_b, b->body_b);
}

static int compare_by_relation(const void *left, const void *right)
{
    const RunContact *a = left, *b = right;
    int order = compare_bodies(a, b);
    order = order ? order : compare_numbers(a->relation, b->relation);
    return order ? order : compare_numbers(a->first_frame, b->first_frame);
}

static int compare_by_frame(const void *left, const void *right)
{
    const RunContact *a = left, *b = right;
    int order = compare_bodies(a, b);
    order = order ? order : compare_numbers(a->first_frame, b->first_frame);
    return order ? order : compare_numbers(a->relation, b->relation);
}

static bool same_bodies(const RunContact *a, const RunContact *b)
{
    return compare_bodies(a, b) == 0;
}

// One contact for each pair, relation and frame.
static void list_frames(const RunHistory *history, RunContacts *contacts)
{
    for (size_t f = 0; f < history->frame_count; ++f) {
        for (size_t i = 0; i < history->frames[f].pair_count; ++i) {
            const RunPair *pair = &history->pairs[history->frames[f].first_pair + i];
            for (size_t r = 0; r < RELATION_COUNT; ++r)
                if (pair->relations & relations[r].relation)
                    contacts->contacts[contacts->count++] =
                        (RunContact){pair->body_a,
                                     pair->body_b,
                                     relations[r].relation,
                                     (uint32_t)f,
                                     (uint32_t)f,
                                     relations[r].relation == IMP_RELATION_TOUCH ? pair->face_pair_count : 0};
        }
    }
}

// Join those that follow each other; they are sorted by relation.
static void join_frames(RunContacts *contacts)
{
    size_t kept = 0;
    for (size_t i = 0; i < contacts->count; ++i) {
        RunContact *last = kept ? &contacts->contacts[kept - 1] : NULL;
        const RunContact *next = &contacts->contacts[i];
        if (!last || !same_bodies(last, next))
            ++contacts->body_pair_count;
        if (last && same_bodies(last, next) && last->relation == next->relation &&
            last->last_frame + 1 == next->first_frame) {
            last->last_frame = next->last_frame;
            if (next->most_face_pairs > last->most_face_pairs)
                last->most_face_pairs = next->most_face_pairs;
        } else {
            contacts->contacts[kept++] = *next;
        }
    }
    contacts->count = kept;
}

CommandResult run_contacts_find(const RunHistory *history, RunContacts *contacts)
{
    size_t most = 0;
    *contacts = (RunContacts){0};
    for (size_t i = 0; i < history->pair_count; ++i)
        for (size_t r = 0; r < RELATION_COUNT; ++r)
            most += (history->pairs[i].relations & relations[r].relation) != 0;
    contacts->contacts = calloc(most + 1, sizeof *contacts->contacts);
    if (!contacts->contacts)
        return command_fail("out of memory");
    list_frames(history, contacts);
    qsort(contacts->contacts, contacts->count, sizeof *contacts->contacts, compare_by_relation);
    join_frames(contacts);
    qsort(contacts->contacts, contacts->count, sizeof *contacts->contacts, compare_by_frame);
    return COMMAND_DONE;
}

void run_contacts_free(RunContacts *contacts)
{
    free(contacts->contacts);
    *contacts = (RunContacts){0};
}

static int compare_frames(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return compare_numbers(*a, *b);
}

size_t run_contacts_first_frames(const RunContacts *contacts, uint32_t *frames)
{
    size_t pair_count = 0, kept = 0;
    for (size_t i = 0; i < contacts->count; ++i) {
        const RunContact *contact = &contacts->contacts[i];
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
