// The page of a run, read back number by number as its layout is documented.
#include "harness.h"

#include "playback/playback.h"
#include "run_page.h"
#include "run_page_template.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE_PATH "impinge-test-page.html"
#define CLOSE     1e-5 // of the scene's size: vertices that deform have 16 bits

typedef struct Played {
    imp_Context *context;
    RunScene scene;
    impi_Playback *playback;
    const impi_History *history; // of the playback
} Played;

typedef struct Page {
    char *text;
    size_t size;
    unsigned char *numbers;
    size_t number_bytes, at;
} Page;

static bool play(const char *name, uint32_t frame_limit, uint32_t thread_count, Played *played)
{
    *played = (Played){0};
    if (!page_template().head) {
        test_skip("this build has no page");
        return false;
    }
    RunSceneDef def = {.name = name, .frame_limit = frame_limit};
    if (!CHECK_INT(imp_context_create(&(imp_ContextDef){.thread_count = thread_count}, &played->context),
                   IMP_STATUS_OK) ||
        !CHECK_INT(run_scene_open(played->context, &def, &played->scene), COMMAND_DONE))
        return false;
    impi_PlaybackDef playback = {.motion = played->scene.motion};
    if (!CHECK_INT(impi_playback_open(played->context, &playback, &played->playback), IMP_STATUS_OK))
        return false;
    for (uint32_t frame = 0; frame < played->scene.motion.frame_count; ++frame)
        CHECK_INT(impi_playback_step(played->playback, frame, NULL), IMP_STATUS_OK);
    played->history = impi_playback_get_history(played->playback);
    return true;
}

static void played_free(Played *played)
{
    impi_playback_close(played->playback);
    run_scene_free(&played->scene);
    imp_context_destroy(played->context);
}

static char *read_whole(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!CHECK(file != NULL))
        return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(*size + 1, 1);
    CHECK(text && fread(text, 1, *size, file) == *size);
    fclose(file);
    return text;
}

static unsigned digit_value(char digit)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *place = strchr(digits, digit);
    return digit && place ? (unsigned)(place - digits) : 64;
}

static void decode(Page *page, const char *base64, size_t length)
{
    page->numbers = calloc(length + 1, 1);
    CHECK_INT((int64_t)(length % 4), 0);
    for (size_t i = 0; page->numbers && i + 4 <= length; i += 4) {
        unsigned bits = 0;
        for (size_t k = 0; k < 4; ++k) {
            if (!CHECK(digit_value(base64[i + k]) < 64))
                return;
            bits = bits << 6 | digit_value(base64[i + k]);
        }
        for (unsigned k = 0; k < 3; ++k)
            page->numbers[page->number_bytes++] = (unsigned char)(bits >> (16 - 8 * k));
    }
}

static bool save_and_read(const Played *played, Page *page)
{
    *page = (Page){0};
    if (!CHECK_INT(run_page_save(&played->scene, played->history, PAGE_PATH), COMMAND_DONE))
        return false;
    page->text = read_whole(PAGE_PATH, &page->size);
    remove(PAGE_PATH);
    const char *numbers = page->text ? strstr(page->text, "id=\"numbers\">") : NULL;
    if (!CHECK(numbers != NULL))
        return false;
    numbers = strchr(numbers, '>') + 1;
    decode(page, numbers, (size_t)(strchr(numbers, '<') - numbers));
    return page->numbers != NULL;
}

static void page_free(Page *page)
{
    free(page->text);
    free(page->numbers);
}

static double header_number(const Page *page, const char *key)
{
    const char *place = strstr(page->text, key);
    return CHECK(place != NULL) ? strtod(place + strlen(key), NULL) : 0;
}

static uint32_t next_integer(Page *page, size_t byte_count)
{
    uint32_t value = 0;
    for (size_t i = 0; i < byte_count && page->at < page->number_bytes; ++i)
        value |= (uint32_t)page->numbers[page->at++] << (8 * i);
    return value;
}

static double next_float(Page *page)
{
    uint32_t bits = next_integer(page, 4);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static uint64_t next_varint(Page *page)
{
    uint64_t value = 0;
    for (unsigned shift = 0; page->at < page->number_bytes; shift += 7) {
        unsigned char byte = page->numbers[page->at++];
        value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            break;
    }
    return value;
}

// Meshes of a page: where the vertices of each body's mesh begin among the numbers.
static void find_meshes(Page *page, const RunScene *scene, size_t *first_byte)
{
    for (size_t body = 0; body < scene->motion.body_count; ++body) {
        const imp_Mesh *mesh = impi_motion_body(&scene->motion, body).mesh;
        size_t same = 0;
        while (impi_motion_body(&scene->motion, same).mesh != mesh)
            ++same;
        first_byte[body] = same < body ? first_byte[same] : page->at;
        if (same < body)
            continue;
        page->at += 3 * sizeof(float) * imp_mesh_get_vertex_count(mesh);
        for (size_t i = 0; i < 3 * imp_mesh_get_triangle_count(mesh); ++i)
            if (!CHECK_INT(next_integer(page, 4), imp_mesh_get_indices(mesh)[i]))
                return;
    }
}

static imp_Vec3 next_vector(Page *page)
{
    imp_Vec3 v;
    v.x = next_float(page);
    v.y = next_float(page);
    v.z = next_float(page);
    return v;
}

// What the page makes of a vertex is where the scene has it.
static bool check_vertex(const Page *page, const imp_Pose *shown, imp_Vec3 own, imp_Vec3 wanted)
{
    imp_Transform transform;
    imp_Pose pose = *shown;
    imp_Quat *q = &pose.rotation;
    double norm = sqrt(q->w * q->w + q->x * q->x + q->y * q->y + q->z * q->z);
    *q = (imp_Quat){q->w / norm, q->x / norm, q->y / norm, q->z / norm};
    if (!CHECK_INT(imp_pose_transform(&pose, &transform), IMP_STATUS_OK))
        return false;
    imp_Vec3 got = imp_transform_apply(&transform, own);
    const char *centre = strstr(page->text, "\"centre\": [");
    double scale = header_number(page, "\"scale\": "), c[3] = {0};
    if (!CHECK(centre && sscanf(centre, "\"centre\": [%lf, %lf, %lf]", &c[0], &c[1], &c[2]) == 3))
        return false;
    return CHECK(fabs(got.x - (wanted.x - c[0]) / scale) < CLOSE) &&
           CHECK(fabs(got.y - (wanted.y - c[1]) / scale) < CLOSE) &&
           CHECK(fabs(got.z - (wanted.z - c[2]) / scale) < CLOSE);
}

// The last vertex of a shape, as the page has it at a frame.
static imp_Vec3 read_last_vertex(Page *page, const RunScene *scene, size_t body, uint32_t frame,
                                 size_t first_byte, size_t shapes_byte)
{
    size_t count = imp_mesh_get_vertex_count(impi_motion_body(&scene->motion, body).mesh);
    if (!impi_motion_body(&scene->motion, body).deforms) {
        page->at = first_byte + 12 * (count - 1);
        return next_vector(page);
    }
    page->at = shapes_byte;
    imp_Vec3 half = next_vector(page), v;
    page->at += 6 * (frame * count + count - 1);
    v.x = (next_integer(page, 2) / 65535.0 * 2 - 1) * half.x;
    v.y = (next_integer(page, 2) / 65535.0 * 2 - 1) * half.y;
    v.z = (next_integer(page, 2) / 65535.0 * 2 - 1) * half.z;
    return v;
}

static size_t shape_bytes(const RunScene *scene, size_t body)
{
    size_t bytes = 12 + 6 * (size_t)scene->motion.frame_count *
                            imp_mesh_get_vertex_count(impi_motion_body(&scene->motion, body).mesh);
    return impi_motion_body(&scene->motion, body).deforms ? (bytes + 3) / 4 * 4 : 0;
}

static void check_places(Page *page, const RunScene *scene)
{
    size_t *first_byte = calloc(scene->motion.body_count + 1, sizeof *first_byte);
    find_meshes(page, scene, first_byte);
    size_t poses = page->at, shapes = poses + 28 * scene->motion.frame_count * scene->motion.body_count;
    for (size_t body = 0; body < scene->motion.body_count; ++body) {
        const imp_Mesh *mesh = impi_motion_body(&scene->motion, body).mesh;
        size_t last = imp_mesh_get_vertex_count(mesh) - 1;
        imp_Vec3 *vertices = calloc(last + 1, sizeof *vertices);
        memcpy(vertices, imp_mesh_get_vertices(mesh), (last + 1) * sizeof *vertices);
        for (uint32_t frame = 0; frame < scene->motion.frame_count; ++frame) {
            imp_Pose pose, shown;
            imp_Vec3 wanted;
            CHECK_INT(run_scene_place(scene, frame, body, &pose, vertices), COMMAND_DONE);
            CHECK_INT(imp_pose_apply(&pose, vertices[last], &wanted), IMP_STATUS_OK);
            page->at = poses + 28 * (frame * scene->motion.body_count + body);
            shown.translation = next_vector(page);
            imp_Vec3 axis = next_vector(page);
            shown.rotation = (imp_Quat){next_float(page), axis.x, axis.y, axis.z};
            imp_Vec3 own = read_last_vertex(page, scene, body, frame, first_byte[body], shapes);
            if (!check_vertex(page, &shown, own, wanted))
                break;
        }
        shapes += shape_bytes(scene, body);
        free(vertices);
    }
    page->at = shapes;
    free(first_byte);
}

// Every face listed for one side of a pair is in its face pairs, as many as the history has counted.
static void check_faces(Page *page, const impi_PlayedFrame *frame, const impi_PlayedPair *pair, bool of_a)
{
    uint64_t count = next_varint(page), face = 0;
    CHECK_INT((int64_t)count, of_a ? pair->touching_faces_a : pair->touching_faces_b);
    for (uint64_t i = 0; i < count; ++i) {
        face += next_varint(page);
        bool found = false;
        for (size_t k = 0; k < pair->face_pair_count && !found; ++k) {
            const imp_FacePair *faces = &frame->face_pairs[pair->first_face_pair + k];
            found = (of_a ? faces->face_a : faces->face_b) == face;
        }
        if (!CHECK(found))
            return;
    }
}

static void check_contacts(Page *page, const impi_History *history)
{
    for (size_t f = 0; f < history->frames.count; ++f) {
        impi_PlayedFrame frame = impi_history_frame(history, f);
        if (!CHECK_INT((int64_t)next_varint(page), (int64_t)frame.pair_count))
            return;
        for (size_t i = 0; i < frame.pair_count; ++i) {
            const impi_PlayedPair *pair = &frame.pairs[i];
            CHECK_INT((int64_t)next_varint(page), pair->body_a);
            CHECK_INT((int64_t)next_varint(page), pair->body_b);
            CHECK_INT((int64_t)next_varint(page), pair->relations);
            check_faces(page, &frame, pair, true);
            check_faces(page, &frame, pair, false);
        }
    }
    CHECK(page->number_bytes - page->at < 3);
}

static void check_scene(const char *name, uint32_t frame_limit, bool deforms)
{
    Played played;
    Page page;
    if (play(name, frame_limit, 2, &played) && save_and_read(&played, &page)) {
        bool any = false;
        for (size_t body = 0; body < played.scene.motion.body_count; ++body)
            any = any || impi_motion_body(&played.scene.motion, body).deforms;
        CHECK_INT(any, deforms);
        CHECK(played.history->face_pairs.count > 0);
        check_places(&page, &played.scene);
        check_contacts(&page, played.history);
        page_free(&page);
    }
    played_free(&played);
}

TEST(rigid_bodies_are_where_the_scene_has_them)
{
    check_scene("shuttles", 100, false);
}

TEST(bodies_that_deform_have_their_shape_of_each_frame)
{
    check_scene("jelly", 100, true);
}

TEST(pages_are_the_same_for_any_number_of_threads)
{
    Page pages[3] = {0};
    const uint32_t threads[] = {1, 2, 5};
    for (int i = 0; i < 3; ++i) {
        Played played;
        if (play("shuttles", 40, threads[i], &played))
            save_and_read(&played, &pages[i]);
        played_free(&played);
    }
    for (int i = 1; i < 3 && pages[0].text; ++i)
        CHECK(pages[i].size == pages[0].size && memcmp(pages[i].text, pages[0].text, pages[0].size) == 0);
    for (int i = 0; i < 3; ++i)
        page_free(&pages[i]);
}

static impi_MotionBody (*plain_body)(const void *source, size_t body);

static impi_MotionBody get_body_of_evil_name(const void *source, size_t index)
{
    impi_MotionBody body = plain_body(source, index);
    body.name = "</script><script>alert(1)</script>";
    return body;
}

TEST(names_cannot_break_out_of_the_page)
{
    Played played;
    Page page;
    if (play("shuttles", 1, 1, &played)) {
        plain_body = played.scene.motion.body;
        played.scene.motion.body = get_body_of_evil_name;
        if (save_and_read(&played, &page)) {
            CHECK(strstr(page.text, "</script><script>alert") == NULL);
            CHECK_CONTAINS(page.text, "\\u003c/script>\\u003cscript>alert(1)");
            page_free(&page);
        }
        played.scene.motion.body = plain_body;
    }
    played_free(&played);
}

TEST(a_run_without_frames_has_a_page)
{
    Played played;
    Page page;
    if (play("shuttles", 0, 1, &played) && save_and_read(&played, &page)) {
        CHECK_CONTAINS(page.text, "\"frame_count\": 0");
        page_free(&page);
    }
    played_free(&played);
}

TEST(a_place_that_cannot_be_written_is_an_error)
{
    Played played;
    if (play("shuttles", 1, 1, &played))
        CHECK_INT(run_page_save(&played.scene, played.history, "no-such-folder/page.html"), COMMAND_FAILED);
    played_free(&played);
}

TEST(a_build_without_the_page_says_so)
{
    if (page_template().head) {
        test_skip("this build has the page");
        return;
    }
    CHECK_INT(run_page_save(&(RunScene){0}, &(impi_History){0}, PAGE_PATH), COMMAND_FAILED);
    CHECK(fopen(PAGE_PATH, "rb") == NULL);
}
