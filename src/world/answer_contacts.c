#include "world/answer_contacts.h"

#include "geom/pose.h"
#include "object/body_contains.h"
#include "object/posed_surface.h"

#include <string.h>

// A result that is asked for contacts.
typedef struct Asked {
    impi_PairResult *result;
    imp_Status status;
} Asked;

typedef struct ContactJob {
    imp_Context *context;
    const impi_AnswerDef *def;
    impi_Answer *answer;
    impi_ObjectStage *stage;
    impi_Budget *budget;
    Asked *asked;
    size_t asked_count;
    impi_Body **bodies; // of those, each once
    size_t body_count;
} ContactJob;

// ---- whom to ask

static impi_Body *body_of(const ContactJob *job, uint32_t slot)
{
    return &job->def->bodies[slot - 1];
}

static bool has_all_faces(const ContactJob *job, const impi_PairResult *result)
{
    return !(result->unanswered & IMP_QUESTION_FACES) &&
           result->first_face + result->face_count <= job->answer->report.face_pair_count;
}

static bool list_asked(ContactJob *job)
{
    size_t count = job->answer->results.count;
    job->asked = impi_arena_allocate_array(&job->context->scratch, count, sizeof *job->asked);
    for (size_t i = 0; job->asked && i < count; ++i) {
        impi_PairResult *result = &job->answer->results.data[i];
        if (!(result->relations & IMP_RELATION_TOUCH))
            continue;
        if (!has_all_faces(job, result))
            result->unanswered |= IMP_QUESTION_CONTACTS;
        else if (result->is_new && result->face_count > 0)
            job->asked[job->asked_count++] = (Asked){result, IMP_STATUS_OUT_OF_TIME};
    }
    return job->asked;
}

// ---- bodies

// How the faces of a body hang together, and its vertices in the order of the mesh; of a deformed body that
// is looked at anew.
static imp_Status find_links(imp_Context *context, const impi_Body *body, const impi_FaceLinks **links,
                             const imp_Vec3 **vertices)
{
    const imp_Mesh *mesh = impi_body_surface(body);
    if (!body->is_deformed) {
        *vertices = mesh->arrays.vertices;
        return impi_mesh_face_links(context, mesh, links);
    }
    imp_Mesh deformed = {.arrays = mesh->arrays};
    impi_FaceLinks *found = impi_arena_allocate(&context->scratch, sizeof *found);
    imp_Status status =
        found ? impi_deformed_shape(context, body, &deformed) : impi_fail_out_of_memory(context);
    if (status != IMP_STATUS_OK)
        return status;
    *vertices = deformed.arrays.vertices;
    *links = found;
    return impi_face_links_find(context, &deformed, found);
}

// With its distinct vertices where they are.
static imp_Status make_side(imp_Context *context, impi_Body *body, impi_ContactSide *side)
{
    const impi_FaceLinks *links = NULL;
    const imp_Vec3 *vertices = NULL;
    imp_Status status = find_links(context, body, &links, &vertices);
    if (status != IMP_STATUS_OK || !links)
        return status;
    imp_Vec3 *points = impi_arena_allocate_array(&context->scratch, links->vertex_count, sizeof *points);
    if (!points)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < links->vertex_count; ++i)
        points[i] = impi_pose_vertex(&body->transform, &vertices[links->vertices[i]]);
    *side = (impi_ContactSide){body, links, points};
    return IMP_STATUS_OK;
}

static imp_Status prepare_body(ContactJob *job, impi_Body *body)
{
    if (body->contact_side)
        return IMP_STATUS_OK;
    impi_ContactSide *side = impi_arena_allocate(&job->context->scratch, sizeof *side);
    if (!side)
        return impi_fail_out_of_memory(job->context);
    imp_Status status = make_side(job->context, body, side);
    if (status == IMP_STATUS_OK) {
        body->contact_side = side;
        job->bodies[job->body_count++] = body;
    }
    return status;
}

// Surfaces with all of their vertices posed, so that threads only read them.
static imp_Status prepare_bodies(ContactJob *job)
{
    imp_Status status = IMP_STATUS_OK;
    job->bodies =
        impi_arena_allocate_array(&job->context->scratch, 2 * job->asked_count, sizeof *job->bodies);
    if (!job->bodies)
        return impi_fail_out_of_memory(job->context);
    for (size_t i = 0; i < job->asked_count && !impi_budget_is_over(job->budget); ++i) {
        const impi_PairResult *result = job->asked[i].result;
        status = prepare_body(job, body_of(job, result->slot_a));
        if (status == IMP_STATUS_OK)
            status = prepare_body(job, body_of(job, result->slot_b));
        if (status != IMP_STATUS_OK)
            return status;
    }
    return impi_surfaces_require(job->context, job->bodies, job->body_count, true);
}

static void forget_bodies(const ContactJob *job)
{
    for (size_t i = 0; i < job->body_count; ++i)
        job->bodies[i]->contact_side = NULL;
}

// ---- contacts

static void find_contacts(size_t begin, size_t end, size_t block, void *argument)
{
    ContactJob *job = argument;
    (void)block;
    for (size_t i = begin; i < end; ++i) {
        Asked *asked = &job->asked[i];
        const impi_ContactSide *a = body_of(job, asked->result->slot_a)->contact_side;
        const impi_ContactSide *b = body_of(job, asked->result->slot_b)->contact_side;
        if (!a || !b || impi_budget_is_over(job->budget))
            continue;
        impi_Arena *arena = impi_scratch_pool_take(&job->stage->scratch);
        asked->status = IMP_STATUS_OUT_OF_MEMORY;
        if (!arena)
            continue;
        asked->status =
            impi_pair_contacts_find(&job->context->allocator, arena, job->budget, a, b,
                                    job->answer->faces.data + asked->result->first_face,
                                    (size_t)asked->result->face_count, &job->stage->contacts.data[i]);
        impi_scratch_pool_give_back(&job->stage->scratch, arena);
    }
}

// Lists, and arenas for all threads with the room that the largest pair so far has needed: which of them gets
// which pair, nobody knows.
static bool reserve_memory(const imp_Executor *executor, const imp_Allocator *allocator,
                           impi_ObjectStage *stage, size_t count)
{
    size_t threads = count < executor->thread_count ? count : executor->thread_count;
    if (!impi_scratch_pool_prepare(&stage->scratch, threads, impi_scratch_pool_room(&stage->scratch)) ||
        !impi_array_reserve(allocator, &stage->contacts, sizeof *stage->contacts.data, count))
        return false;
    for (; stage->contacts.count < count; ++stage->contacts.count)
        stage->contacts.data[stage->contacts.count] = (impi_ContactLists){0};
    return true;
}

static imp_Status ask(ContactJob *job)
{
    if (!list_asked(job) ||
        !reserve_memory(&job->context->executor, &job->context->allocator, job->stage, job->asked_count))
        return impi_fail_out_of_memory(job->context);
    imp_Status status = prepare_bodies(job);
    if (status == IMP_STATUS_OK)
        impi_parallel_for(&job->context->executor, job->asked_count, 1, find_contacts, job);
    forget_bodies(job);
    if (status == IMP_STATUS_OK && impi_budget_is_cancelled(job->budget))
        status = impi_fail_cancelled(job->context);
    for (size_t i = 0; i < job->asked_count && status == IMP_STATUS_OK; ++i) {
        if (job->asked[i].status == IMP_STATUS_OUT_OF_MEMORY)
            status = impi_fail_out_of_memory(job->context);
        else if (job->asked[i].status != IMP_STATUS_OK)
            job->asked[i].result->unanswered |= IMP_QUESTION_CONTACTS;
    }
    return status;
}

// ---- one behind the other

// Parts of lists that belong to one pair of bodies.
typedef struct Part {
    const impi_ContactLists *from;
    size_t first, count; // of contacts
} Part;

static bool reserve_part(const imp_Allocator *allocator, impi_ContactLists *to, size_t contacts, size_t faces,
                         size_t polylines, size_t points)
{
    return impi_array_reserve(allocator, &to->contacts, sizeof *to->contacts.data,
                              to->contacts.count + contacts) &&
           impi_array_reserve(allocator, &to->faces, sizeof *to->faces.data, to->faces.count + faces) &&
           impi_array_reserve(allocator, &to->polylines, sizeof *to->polylines.data,
                              to->polylines.count + polylines) &&
           impi_array_reserve(allocator, &to->points, sizeof *to->points.data, to->points.count + points);
}

// Copy them behind those that are there. False when out of memory.
static bool append(const imp_Allocator *allocator, Part part, impi_ContactLists *to)
{
    const impi_ContactLists *from = part.from;
    if (part.count == 0)
        return true;
    const imp_Contact *first = &from->contacts.data[part.first], *last = first + part.count - 1;
    size_t faces = last->first_face + last->face_count - first->first_face;
    size_t lines = last->first_polyline + last->polyline_count - first->first_polyline;
    const imp_Polyline *line = lines > 0 ? &from->polylines.data[first->first_polyline] : NULL;
    size_t first_point = line ? line->first_point : 0;
    size_t points = line ? line[lines - 1].first_point + line[lines - 1].point_count - first_point : 0;
    if (!reserve_part(allocator, to, part.count, faces, lines, points))
        return false;
    memcpy(to->contacts.data + to->contacts.count, first, part.count * sizeof *first);
    memcpy(to->faces.data + to->faces.count, from->faces.data + first->first_face,
           faces * sizeof *to->faces.data);
    if (line) {
        memcpy(to->polylines.data + to->polylines.count, line, lines * sizeof *line);
        memcpy(to->points.data + to->points.count, from->points.data + first_point,
               points * sizeof *to->points.data);
    }
    size_t first_face = first->first_face, first_line = first->first_polyline;
    for (size_t i = to->contacts.count; i < to->contacts.count + part.count; ++i) {
        to->contacts.data[i].first_face += to->faces.count - first_face;
        to->contacts.data[i].first_polyline += to->polylines.count - first_line;
    }
    for (size_t i = to->polylines.count; i < to->polylines.count + lines; ++i)
        to->polylines.data[i].first_point += to->points.count - first_point;
    to->contacts.count += part.count;
    to->faces.count += faces;
    to->polylines.count += lines;
    to->points.count += points;
    return true;
}

static uint64_t slots_of(const imp_Contact *contact)
{
    return impi_slot_pair(contact->body_a.slot, contact->body_b.slot);
}

// Those of the slots in the last answer; `*next` goes on from call to call.
static Part find_last(const impi_ContactLists *last, uint64_t slots, size_t *next)
{
    while (*next < last->contacts.count && slots_of(&last->contacts.data[*next]) < slots)
        ++*next;
    Part part = {last, *next, 0};
    while (*next < last->contacts.count && slots_of(&last->contacts.data[*next]) == slots)
        ++*next;
    part.count = *next - part.first;
    return part;
}

static bool join(const ContactJob *job)
{
    impi_ContactLists *to = &job->answer->regions;
    size_t next = 0, next_last = 0;
    to->contacts.count = to->faces.count = to->polylines.count = to->points.count = 0;
    for (size_t i = 0; i < job->answer->results.count; ++i) {
        const impi_PairResult *result = &job->answer->results.data[i];
        Part part = {0};
        if (result->unanswered & IMP_QUESTION_CONTACTS) {
            next += next < job->asked_count && job->asked[next].result == result;
        } else if (!result->is_new) {
            part = find_last(&job->def->last->regions, impi_result_slots(result), &next_last);
        } else if (next < job->asked_count && job->asked[next].result == result) {
            part =
                (Part){&job->stage->contacts.data[next], 0, job->stage->contacts.data[next].contacts.count};
            ++next;
        }
        if (!append(&job->context->allocator, part, to))
            return false;
    }
    return true;
}

imp_Status impi_answer_list_contacts(imp_Context *context, const impi_AnswerDef *def, impi_Answer *answer,
                                     impi_ObjectStage *stage, impi_Budget *budget)
{
    ContactJob job = {.context = context, .def = def, .answer = answer, .stage = stage, .budget = budget};
    imp_Report *report = &answer->report;
    imp_Status status = ask(&job);
    if (status == IMP_STATUS_OK && !join(&job))
        status = impi_fail_out_of_memory(context);
    if (status != IMP_STATUS_OK)
        return status;
    report->budget_spent = impi_budget_is_spent(budget);
    report->contacts = answer->regions.contacts.data;
    report->contact_count = answer->regions.contacts.count;
    report->contact_faces = answer->regions.faces.data;
    report->contact_face_count = answer->regions.faces.count;
    report->polylines = answer->regions.polylines.data;
    report->polyline_count = answer->regions.polylines.count;
    report->curve_points = answer->regions.points.data;
    report->curve_point_count = answer->regions.points.count;
    return IMP_STATUS_OK;
}
