#include "run_page_data.h"

#include "geom/vector.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

static void put_lengths(PageStream *stream, imp_Vec3 lengths, double scale)
{
    page_put_float(stream, lengths.x / scale);
    page_put_float(stream, lengths.y / scale);
    page_put_float(stream, lengths.z / scale);
}

static void put_mesh(PageStream *stream, const imp_Mesh *mesh, double scale)
{
    imp_Box bounds = imp_mesh_get_bounds(mesh);
    imp_Vec3 centre = page_box_centre(&bounds);
    for (size_t i = 0; i < imp_mesh_get_vertex_count(mesh); ++i)
        put_lengths(stream, impi_subtract(imp_mesh_get_vertices(mesh)[i], centre), scale);
    for (size_t i = 0; i < 3 * imp_mesh_get_triangle_count(mesh); ++i)
        page_put_u32(stream, imp_mesh_get_indices(mesh)[i]);
}

static CommandResult put_pose(PageStream *stream, const RunScene *scene, const PageLayout *layout,
                              uint32_t frame, size_t body)
{
    imp_Pose pose;
    imp_Transform transform = {0};
    if (run_scene_place(scene, frame, body, &pose, layout->vertices) != COMMAND_DONE)
        return COMMAND_FAILED;
    imp_Status status = imp_pose_transform(&pose, &transform);
    assert(status == IMP_STATUS_OK); // the run has posed the body by it
    (void)status;
    imp_Vec3 place = imp_transform_apply(&transform, page_box_centre(&layout->bodies[body].box));
    put_lengths(stream, impi_subtract(place, layout->centre), layout->scale);
    imp_Quat q = pose.rotation;
    bool none = q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0;
    page_put_float(stream, q.x);
    page_put_float(stream, q.y);
    page_put_float(stream, q.z);
    page_put_float(stream, none ? 1 : q.w);
    return COMMAND_DONE;
}

static uint16_t part_of_side(double from_centre, double half)
{
    double part = half > 0 ? 0.5 + 0.5 * (from_centre / half) : 0.5;
    return (uint16_t)lround(65535 * fmax(0, fmin(part, 1)));
}

static CommandResult put_deformation(PageStream *stream, const RunScene *scene, const PageLayout *layout,
                                     size_t body)
{
    const imp_Box *box = &layout->bodies[body].box;
    imp_Vec3 centre = page_box_centre(box), half = page_box_half(box);
    put_lengths(stream, half, layout->scale);
    for (uint32_t frame = 0; frame < scene->frame_count; ++frame) {
        imp_Pose pose;
        if (run_scene_place(scene, frame, body, &pose, layout->vertices) != COMMAND_DONE)
            return COMMAND_FAILED;
        for (size_t i = 0; i < imp_mesh_get_vertex_count(scene->bodies[body].mesh); ++i) {
            imp_Vec3 from_centre = impi_subtract(layout->vertices[i], centre);
            page_put_u16(stream, part_of_side(from_centre.x, half.x));
            page_put_u16(stream, part_of_side(from_centre.y, half.y));
            page_put_u16(stream, part_of_side(from_centre.z, half.z));
        }
    }
    page_align_numbers(stream);
    return COMMAND_DONE;
}

static int compare_faces(const void *a, const void *b)
{
    uint32_t face_a = *(const uint32_t *)a, face_b = *(const uint32_t *)b;
    return (face_a > face_b) - (face_a < face_b);
}

// Each face once, though it touches several.
static void put_faces(PageStream *stream, uint32_t *faces, size_t count)
{
    size_t distinct = 0;
    qsort(faces, count, sizeof *faces, compare_faces);
    for (size_t i = 0; i < count; ++i)
        if (distinct == 0 || faces[i] != faces[distinct - 1])
            faces[distinct++] = faces[i];
    page_put_varint(stream, distinct);
    for (size_t i = 0; i < distinct; ++i)
        page_put_varint(stream, i ? faces[i] - faces[i - 1] : faces[i]);
}

static void put_pair(PageStream *stream, const RunHistory *history, const RunPair *pair, uint32_t *faces)
{
    const imp_FacePair *face_pairs = history->face_pairs + pair->first_face_pair;
    page_put_varint(stream, pair->body_a);
    page_put_varint(stream, pair->body_b);
    page_put_varint(stream, pair->relations);
    for (size_t i = 0; i < pair->face_pair_count; ++i)
        faces[i] = face_pairs[i].face_a;
    put_faces(stream, faces, pair->face_pair_count);
    for (size_t i = 0; i < pair->face_pair_count; ++i)
        faces[i] = face_pairs[i].face_b;
    put_faces(stream, faces, pair->face_pair_count);
}

static CommandResult put_contacts(PageStream *stream, const RunHistory *history)
{
    size_t most_faces = 1;
    for (size_t i = 0; i < history->pair_count; ++i)
        if (history->pairs[i].face_pair_count > most_faces)
            most_faces = history->pairs[i].face_pair_count;
    uint32_t *faces = calloc(most_faces, sizeof *faces);
    if (!faces)
        return command_fail("out of memory");
    for (size_t f = 0; f < history->frame_count; ++f) {
        const RunFrame *frame = &history->frames[f];
        page_put_varint(stream, frame->pair_count);
        for (size_t i = 0; i < frame->pair_count; ++i)
            put_pair(stream, history, &history->pairs[frame->first_pair + i], faces);
    }
    free(faces);
    return COMMAND_DONE;
}

CommandResult page_put_data(PageStream *stream, const RunScene *scene, const RunHistory *history,
                            const PageLayout *layout)
{
    for (size_t i = 0; i < layout->mesh_count; ++i)
        put_mesh(stream, layout->meshes[i], layout->scale);
    for (uint32_t frame = 0; frame < scene->frame_count; ++frame)
        for (size_t body = 0; body < scene->body_count; ++body)
            if (put_pose(stream, scene, layout, frame, body) != COMMAND_DONE)
                return COMMAND_FAILED;
    for (size_t body = 0; body < scene->body_count; ++body)
        if (scene->bodies[body].deforms && put_deformation(stream, scene, layout, body) != COMMAND_DONE)
            return COMMAND_FAILED;
    return put_contacts(stream, history);
}
