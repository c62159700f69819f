#include "check_distances.h"

#include "kit/progress.h"

#include <stdlib.h>

// The lists of a scene, both sorted by bodies, and how far they have been read.
typedef struct Lists {
    const CheckScene *scene;
    const CheckDistanceDef *def;
    const CheckContacts *contacts;
    size_t next_near, next_pair, next_contact;
} Lists;

static uint64_t key_of(uint32_t body_a, uint32_t body_b)
{
    return (uint64_t)body_a << 32 | body_b;
}

// Read on to a pair of bodies. Null when it is not among those that are near.
static const impi_NearPair *find_near(Lists *lists, uint64_t key)
{
    const impi_PlayedFrame *found = &lists->scene->found;
    const impi_NearPair *near = found->near_pairs;
    size_t *next = &lists->next_near;
    while (*next < found->near_pair_count && key_of(near[*next].body_a, near[*next].body_b) < key)
        ++*next;
    bool is_it = *next < found->near_pair_count && key_of(near[*next].body_a, near[*next].body_b) == key;
    return is_it ? &near[*next] : NULL;
}

static imp_Status measure(Lists *lists, uint64_t key, DistanceLine *line)
{
    const impi_NearPair *near = find_near(lists, key);
    imp_Status status = IMP_STATUS_OK;
    *line = (DistanceLine){.body_a = (uint32_t)(key >> 32), .body_b = (uint32_t)key};
    if (near)
        line->distance = near->distance;
    else
        status = impi_playback_distance(lists->scene->playback, line->body_a, line->body_b, &line->distance);
    bool overlaps =
        line->distance.touch && impi_bodies_overlap(lists->contacts->report, lists->contacts->overlaps,
                                                    line->body_a, line->body_b, &lists->next_contact);
    line->relation = distance_relation(&line->distance, overlaps, near != NULL);
    return status;
}

static imp_Status list_all(Lists *lists, CheckDistances *distances)
{
    uint32_t body_count = (uint32_t)lists->scene->body_count;
    size_t pair_count = (size_t)body_count * (body_count - 1) / 2;
    imp_Status status = IMP_STATUS_OK;
    impi_Progress *progress = impi_progress_begin();
    for (uint32_t a = 0; a < body_count; ++a) {
        for (uint32_t b = a + 1; b < body_count && status == IMP_STATUS_OK; ++b) {
            impi_progress_set(progress, "measuring", distances->count, pair_count);
            if (lists->scene->rules && impi_pair_rules_of(lists->scene->rules, a, b).is_ignored)
                continue;
            status = measure(lists, key_of(a, b), &distances->lines[distances->count]);
            distances->count += status == IMP_STATUS_OK;
        }
    }
    impi_progress_end(progress);
    return status;
}

// The next pair that is near or, where a clearance is asked for, of which one is inside of the other.
static uint64_t next_key(const Lists *lists)
{
    const impi_PlayedFrame *found = &lists->scene->found;
    uint64_t key = UINT64_MAX;
    if (lists->next_near < found->near_pair_count)
        key = key_of(found->near_pairs[lists->next_near].body_a, found->near_pairs[lists->next_near].body_b);
    if (lists->def->asks_clearance && lists->next_pair < found->pair_count) {
        const impi_PlayedPair *pair = &found->pairs[lists->next_pair];
        uint64_t other = key_of(pair->body_a, pair->body_b);
        key = other < key ? other : key;
    }
    return key;
}

static void pass(Lists *lists, uint64_t key)
{
    const impi_PlayedFrame *found = &lists->scene->found;
    while (lists->next_pair < found->pair_count &&
           key_of(found->pairs[lists->next_pair].body_a, found->pairs[lists->next_pair].body_b) <= key)
        ++lists->next_pair;
    find_near(lists, key + 1);
}

static imp_Status list_near(Lists *lists, CheckDistances *distances)
{
    imp_Status status = IMP_STATUS_OK;
    for (uint64_t key; status == IMP_STATUS_OK && (key = next_key(lists)) != UINT64_MAX; pass(lists, key)) {
        status = measure(lists, key, &distances->lines[distances->count]);
        distances->count += status == IMP_STATUS_OK;
    }
    return status;
}

CommandResult check_distances_find(const CheckScene *scene, const CheckDistanceDef *def,
                                   const CheckContacts *contacts, CheckDistances *distances)
{
    Lists lists = {.scene = scene, .def = def, .contacts = contacts};
    bool all = def->asks_distance && !def->asks_max;
    size_t n = scene->body_count;
    size_t most = all ? n * (n - 1) / 2 : scene->found.near_pair_count + scene->found.pair_count;
    *distances = (CheckDistances){.def = *def};
    distances->lines = calloc(most + 1, sizeof *distances->lines);
    if (!distances->lines)
        return command_fail("out of memory");
    imp_Status status = all ? list_all(&lists, distances) : list_near(&lists, distances);
    return status == IMP_STATUS_OK ? COMMAND_DONE : command_fail_in(scene->context);
}

bool check_distances_found(const CheckScene *scene, const CheckDistances *distances)
{
    return scene->found.pair_count > 0 || (distances->def.asks_clearance && scene->found.near_pair_count > 0);
}

void check_distances_free(CheckDistances *distances)
{
    free(distances->lines);
    *distances = (CheckDistances){0};
}
