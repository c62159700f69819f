// Steps of io.h and scene.h: files that are whole, cut or damaged. What a damaged file says is anybody's
// guess; that it says the same in every context and from memory is checked.
#include "call.h"
#include "patterns.h"
#include "steps.h"

#include <math.h>
#include <string.h>

#define MAX_FILE_BYTES 65536

// What a lane is about to write, or to read from memory.
struct FileBytes {
    unsigned char bytes[MAX_FILE_BYTES];
    size_t size;
    bool is_intact;
};

static const char *const extensions[] = {"obj", "stl", "ply", "off"};

// ---- saving

// Small enough for worlds and models: damage can make large ones.
static bool is_tame(const imp_Mesh *mesh)
{
    bool is_small = imp_mesh_get_triangle_count(mesh) <= 100;
    for (size_t i = 0; is_small && i < imp_mesh_get_vertex_count(mesh); ++i) {
        const imp_Vec3 *v = &imp_mesh_get_vertices(mesh)[i];
        is_small = fabs(v->x) < 100 && fabs(v->y) < 100 && fabs(v->z) < 100;
    }
    return is_small;
}

static void compare_saved(Lane *lane, const imp_Mesh *mesh, const char *path, bool is_stl)
{
    imp_Mesh *read = NULL;
    if (!CHECK_INT(imp_mesh_load(lane->reference, path, &read), IMP_STATUS_OK))
        return;
    CHECK(imp_mesh_get_triangle_count(read) == imp_mesh_get_triangle_count(mesh));
    CHECK(is_stl || same_mesh(read, mesh));
    imp_mesh_release(read);
}

static void save(Lane *lane)
{
    Home *home = lane_home(lane);
    const imp_Mesh *mesh = lane_mesh(lane);
    uint32_t format = choose(&lane->choices, 4), flaw = lane_flaw(lane, 5);
    if (format == 1 && !is_tame(mesh)) // floats of STL files may not hold it
        format = 0;
    char path[MAX_TEST_PATH + 64];
    snprintf(path, sizeof path, "%s/saved.%s", lane_path(lane, flaw == 5 ? "nowhere" : "."),
             flaw == 4 ? "xyz" : extensions[format]);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "saved.%s, flaw %u", extensions[format], flaw);
    if (flaw)
        call_expect(&call,
                    flaw == 5   ? IMP_STATUS_IO
                    : flaw == 4 ? IMP_STATUS_UNSUPPORTED
                                : IMP_STATUS_BAD_ARGUMENT,
                    ANY_INDEX);
    CALL(&call, imp_mesh_save,
         (flaw == 1 ? NULL : home->context, flaw == 2 ? NULL : mesh, flaw == 3 ? NULL : path));
    if (call_is_done(&call))
        compare_saved(lane, mesh, path, format == 1);
}

// ---- files

static void damage(Lane *lane)
{
    FileBytes *file = lane->file;
    file->is_intact = false;
    switch (choose(&lane->choices, 3)) {
    case 0: // cut
        file->size = choose(&lane->choices, (uint32_t)file->size + 1);
        break;
    case 1: // some bytes
        for (uint32_t i = choose(&lane->choices, 4); i < 4 && file->size > 0; ++i) {
            uint32_t place = choose(&lane->choices, (uint32_t)file->size);
            file->bytes[place] = (unsigned char)choose(&lane->choices, 256);
        }
        break;
    default: // a piece of it again in another place
        if (file->size > 8) {
            uint32_t length = 1 + choose(&lane->choices, (uint32_t)file->size / 4);
            uint32_t from = choose(&lane->choices, (uint32_t)file->size - length);
            uint32_t to = choose(&lane->choices, (uint32_t)file->size - length);
            memmove(file->bytes + to, file->bytes + from, length);
        }
    }
}

// The bytes of a mesh file, as the reference writes it. OBJ, OFF and PLY may be text of anybody, too.
static bool make_mesh_file(Lane *lane, const char *extension)
{
    FileBytes *file = lane->file;
    static const char obj[] = "# two triangles\nv 0 0 0\nv 1 0 0\nv 1 1 0.5\nv 0 1e0 0\nf 1 2 3 4\n";
    static const char stl[] =
        "solid left\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 "
        "endloop endfacet\nendsolid\nsolid\nendsolid\nsolid right\nfacet normal 0 0 1 "
        "outer loop vertex 0 0 1 vertex 1 0 1 vertex 0 1 1 endloop endfacet\nendsolid\n";
    bool is_obj = strcmp(extension, "obj") == 0, is_stl = strcmp(extension, "stl") == 0;
    size_t size = is_stl ? sizeof stl - 1 : sizeof obj - 1;
    char *bytes = NULL;
    char path[MAX_TEST_PATH + 64];
    if ((is_obj || is_stl) && choose_rarely(&lane->choices, 2)) {
        memcpy(file->bytes, is_stl ? stl : obj, size);
    } else {
        const imp_Mesh *mesh = pattern_mesh((Pattern)choose(&lane->choices, PATTERN_COUNT));
        snprintf(path, sizeof path, "%s.%s", lane_path(lane, "made"), extension);
        CHECK_INT(imp_mesh_save(lane->reference, mesh, path), IMP_STATUS_OK);
        bytes = read_file(path, &size);
        if (!CHECK(bytes && size <= MAX_FILE_BYTES))
            return false;
        memcpy(file->bytes, bytes, size);
        free(bytes);
    }
    file->size = size;
    file->is_intact = true;
    if (choose_rarely(&lane->choices, 2))
        damage(lane);
    return true;
}

static bool make_gltf_file(Lane *lane, const char **extension)
{
    FileBytes *file = lane->file;
    const GltfPattern *pattern = pattern_gltf(choose(&lane->choices, GLTF_PATTERNS));
    if (!CHECK(pattern->size <= MAX_FILE_BYTES))
        return false;
    memcpy(file->bytes, pattern->bytes, pattern->size);
    file->size = pattern->size;
    file->is_intact = true;
    *extension = pattern->extension;
    if (choose_rarely(&lane->choices, 2))
        damage(lane);
    return true;
}

static void count_file(Lane *lane, imp_Status status)
{
    FileBytes *file = lane->file;
    lane_count(lane, OUTCOME_file_intact, file->is_intact && status == IMP_STATUS_OK);
    lane_count(lane, OUTCOME_file_damaged_read, !file->is_intact && status == IMP_STATUS_OK);
    lane_count(lane, OUTCOME_file_damaged_refused, !file->is_intact && status != IMP_STATUS_OK);
}

// ---- reading meshes

static bool is_mesh_sound(const imp_Mesh *mesh)
{
    size_t vertex_count = imp_mesh_get_vertex_count(mesh), face_count = imp_mesh_get_triangle_count(mesh);
    bool is_sound = vertex_count > 0 && face_count > 0;
    for (size_t i = 0; i < vertex_count; ++i) {
        const imp_Vec3 *v = &imp_mesh_get_vertices(mesh)[i];
        is_sound = is_sound && isfinite(v->x) && isfinite(v->y) && isfinite(v->z);
    }
    for (size_t i = 0; i < 3 * face_count; ++i)
        is_sound = is_sound && imp_mesh_get_indices(mesh)[i] < vertex_count;
    return is_sound;
}

static void take_mesh(Lane *lane, imp_Mesh *mesh, imp_Mesh *wanted)
{
    CHECK(is_mesh_sound(mesh));
    CHECK(wanted && same_mesh(mesh, wanted));
    const char *remark = imp_mesh_get_remark(mesh), *other = imp_mesh_get_remark(wanted);
    CHECK(remark ? other && strcmp(remark, other) == 0 : !other);
    if (is_tame(mesh))
        lane_keep_mesh(lane, mesh);
    else
        imp_mesh_release(mesh);
}

static const imp_FileFormat formats[] = {IMP_FORMAT_OBJ, IMP_FORMAT_STL, IMP_FORMAT_PLY, IMP_FORMAT_OFF};

static void load_memory(Lane *lane)
{
    FileBytes *file = lane->file;
    uint32_t format = choose(&lane->choices, 4), flaw = lane_flaw(lane, 6);
    Home *home = lane_home(lane);
    imp_Mesh *mesh = NULL, *wanted = NULL;
    char name[32];
    if (!make_mesh_file(lane, extensions[format]))
        return;
    snprintf(name, sizeof name, "bytes.%s", flaw == 5 ? "xyz" : extensions[format]);
    imp_FileFormat how = choose(&lane->choices, 2) || flaw == 5 ? IMP_FORMAT_BY_NAME : formats[format];
    imp_Status status =
        imp_mesh_load_memory(lane->reference, formats[format], file->bytes, file->size, name, &wanted);
    Call call = call_make(lane, flaw == 1 ? NULL : home, "%s, %zu bytes, intact %d, flaw %u", name,
                          file->size, file->is_intact, flaw);
    call_is_watched(&call);
    call_output(&call, &mesh, sizeof mesh);
    if (flaw == 6)
        how = (imp_FileFormat)99;
    if (flaw)
        call_expect(&call, flaw == 5 ? IMP_STATUS_UNSUPPORTED : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    else
        call_expect(&call, status, ANY_INDEX);
    if (flaw == 6 && file->size == 0)
        call_expect(&call, IMP_STATUS_BAD_FILE, ANY_INDEX);
    const void *bytes = flaw == 2 ? NULL : file->bytes;
    CALL(&call, imp_mesh_load_memory,
         (flaw == 1 ? NULL : home->context, how, bytes, file->size + (flaw == 2), flaw == 3 ? NULL : name,
          flaw == 4 ? NULL : &mesh));
    CHECK(!file->is_intact || status == IMP_STATUS_OK);
    if (call_is_done(&call))
        take_mesh(lane, mesh, wanted);
    else if (!flaw && call.home)
        CHECK(strstr(imp_context_get_error(home->context)->message, name));
    if (!flaw)
        count_file(lane, call.status);
    imp_mesh_release(wanted);
}

// A def of loading, or one that can't be meant.
static imp_LoadDef choose_load_def(Lane *lane, uint32_t flaw)
{
    imp_LoadDef def = {.solids = choose(&lane->choices, 2)};
    if (choose(&lane->choices, 2))
        def.name = "given";
    if (choose(&lane->choices, 2))
        *(choose(&lane->choices, 2) ? &def.multiply_by : &def.divide_by) = 0.5;
    if (flaw == 6)
        def.multiply_by = -1;
    return def;
}

// Flaws of loading: nulls, a file that is not there, a format that nobody knows, a def that can't be meant;
// or the file is larger than the context reads.
static void spoil_loading(Call *call, uint32_t flaw, const Home *home, size_t size)
{
    bool is_beyond = home->max_file_bytes && size > home->max_file_bytes;
    if (is_beyond && !flaw)
        call_expect(call, IMP_STATUS_TOO_LARGE, ANY_INDEX);
    if (flaw)
        call_expect(call,
                    flaw == 5   ? IMP_STATUS_UNSUPPORTED
                    : flaw == 4 ? IMP_STATUS_IO
                                : IMP_STATUS_BAD_ARGUMENT,
                    ANY_INDEX);
    if (is_beyond && flaw == 5)
        call->expected |= STATUS_BIT(TOO_LARGE);
}

static void load(Lane *lane)
{
    FileBytes *file = lane->file;
    uint32_t format = choose(&lane->choices, 5), flaw = lane_flaw(lane, 6);
    bool has_def = choose(&lane->choices, 2) || flaw == 6;
    imp_LoadDef def = choose_load_def(lane, flaw);
    Home *home = lane_home(lane);
    imp_Mesh *mesh = NULL, *wanted = NULL;
    const char *extension = format < 4 ? extensions[format] : NULL;
    char path[MAX_TEST_PATH + 64];
    if (!(format < 4 ? make_mesh_file(lane, extension) : make_gltf_file(lane, &extension)))
        return;
    snprintf(path, sizeof path, "%s.%s", lane_path(lane, flaw == 4 ? "missing" : "loaded"),
             flaw == 5 ? "unknown" : extension);
    if (flaw != 4)
        write_file(path, file->bytes, file->size);
    imp_Status status =
        flaw ? IMP_STATUS_OK : imp_mesh_load_with(lane->reference, path, has_def ? &def : NULL, &wanted);
    Call call = call_make(lane, flaw == 1 ? NULL : home, ".%s, %zu bytes, intact %d, flaw %u", extension,
                          file->size, file->is_intact, flaw);
    call_is_watched(&call);
    call_output(&call, &mesh, sizeof mesh);
    call_expect(&call, status, ANY_INDEX);
    spoil_loading(&call, flaw, home, file->size);
    imp_Context *context = flaw == 1 ? NULL : home->context;
    const char *given_path = flaw == 2 ? NULL : path;
    imp_Mesh **place = flaw == 3 ? NULL : &mesh;
    if (has_def)
        CALL(&call, imp_mesh_load_with, (context, given_path, &def, place));
    else
        CALL(&call, imp_mesh_load, (context, given_path, place));
    CHECK(flaw || !file->is_intact || status == IMP_STATUS_OK);
    if (call_is_done(&call))
        take_mesh(lane, mesh, wanted);
    if (!flaw)
        count_file(lane, call.status);
    imp_mesh_release(wanted);
}

static void have_file(Lane *lane)
{
    if (!lane->file)
        lane->file = calloc(1, sizeof *lane->file);
}

void step_files(Lane *lane)
{
    have_file(lane);
    switch (choose(&lane->choices, 3)) {
    case 0:
        load_memory(lane);
        break;
    case 1:
        load(lane);
        break;
    default:
        save(lane);
    }
}

// ---- scenes

static void load_scene(Lane *lane, imp_Scene **place)
{
    FileBytes *file = lane->file;
    Home *home = lane_home(lane);
    imp_Scene *scene = NULL, *wanted = NULL;
    uint32_t format = choose(&lane->choices, 8), flaw = lane_flaw(lane, 6);
    const char *extension = format < 4 ? extensions[format] : NULL;
    bool has_def = choose(&lane->choices, 2) || flaw == 6;
    imp_LoadDef def = choose_load_def(lane, flaw);
    char path[MAX_TEST_PATH + 64];
    if (!(format < 4 ? make_mesh_file(lane, extension) : make_gltf_file(lane, &extension)))
        return;
    snprintf(path, sizeof path, "%s.%s", lane_path(lane, flaw == 4 ? "missing" : "scene"),
             flaw == 5 ? "unknown" : extension);
    if (flaw != 4)
        write_file(path, file->bytes, file->size);
    imp_Status status =
        flaw ? IMP_STATUS_OK : imp_scene_load_with(lane->reference, path, has_def ? &def : NULL, &wanted);
    Call call = call_make(lane, flaw == 1 ? NULL : home, ".%s, %zu bytes, intact %d, flaw %u", extension,
                          file->size, file->is_intact, flaw);
    call_is_watched(&call);
    call_output(&call, &scene, sizeof scene);
    call_expect(&call, status, ANY_INDEX);
    spoil_loading(&call, flaw, home, file->size);
    imp_Context *context = flaw == 1 ? NULL : home->context;
    const char *given_path = flaw == 2 ? NULL : path;
    imp_Scene **room = flaw == 3 ? NULL : &scene;
    if (has_def)
        CALL(&call, imp_scene_load_with, (context, given_path, &def, room));
    else
        CALL(&call, imp_scene_load, (context, given_path, room));
    CHECK(flaw || !file->is_intact || status == IMP_STATUS_OK);
    if (call_is_done(&call)) {
        CHECK(imp_scene_get_body_count(scene) == imp_scene_get_body_count(wanted));
        *place = scene;
    }
    if (!flaw)
        count_file(lane, call.status);
    imp_scene_destroy(wanted);
}

static const imp_Scene *ask_scene(Lane *lane, const imp_Scene *scene, size_t *body_count)
{
    double duration = -1;
    const char *remark = "";
    Call call = call_make(lane, NULL, "%s", scene ? "one" : "null");
    CALL_VALUE(&call, *body_count, imp_scene_get_body_count, (scene));
    CALL_VALUE(&call, duration, imp_scene_get_duration, (scene));
    CALL_VALUE(&call, remark, imp_scene_get_remark, (scene));
    CHECK(duration >= 0 && isfinite(duration) && (*body_count > 0) == (scene != NULL));
    CHECK(scene || !remark);
    return scene;
}

#define MAX_SAMPLE 1024

// Two samples of one time are the same, and a body that does not deform has the vertices of its mesh.
static void sample_scene(Lane *lane, const imp_Scene *scene, size_t body, const imp_SceneBody *known)
{
    imp_Vec3 vertices[MAX_SAMPLE], again[MAX_SAMPLE];
    imp_Pose pose, same;
    size_t count = known ? imp_mesh_get_vertex_count(known->mesh) : 0;
    double seconds = choose_between(&lane->choices, -1, 3);
    uint32_t flaw = lane_flaw(lane, 3);
    if (count > MAX_SAMPLE)
        return;
    if (flaw == 3)
        seconds = choose_bad_number(&lane->choices);
    Call call = call_make(lane, NULL, "body %zu at %g, flaw %u", body, seconds, flaw);
    call_output(&call, &pose, sizeof pose);
    if (flaw)
        call_expect(&call, flaw == 3 ? IMP_STATUS_BAD_NUMBER : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    if (!known)
        call_expect(&call, flaw == 1 || flaw == 2 ? IMP_STATUS_BAD_ARGUMENT : IMP_STATUS_BAD_INDEX,
                    ANY_INDEX);
    imp_Status status = flaw || !known ? IMP_STATUS_OK : imp_scene_sample(scene, body, seconds, &same, again);
    if (status != IMP_STATUS_OK) // transforms of a damaged file may make numbers that are not finite
        call_expect(&call, status, ANY_INDEX);
    CALL(&call, imp_scene_sample,
         (flaw == 1 ? NULL : scene, body, seconds, flaw == 2 ? NULL : &pose, vertices));
    if (!call_is_done(&call))
        return;
    CHECK(memcmp(&pose, &same, sizeof pose) == 0 && memcmp(vertices, again, count * sizeof *again) == 0);
    if (!known->deforms)
        CHECK(memcmp(vertices, imp_mesh_get_vertices(known->mesh), count * sizeof *vertices) == 0);
    lane_count(lane, OUTCOME_scene_deforms, known->deforms);
}

static void use_scene(Lane *lane, const imp_Scene *scene)
{
    imp_SceneBody body;
    size_t count = 0;
    if (!ask_scene(lane, choose_rarely(&lane->choices, 8) ? NULL : scene, &count))
        return;
    uint32_t flaw = lane_flaw(lane, 3);
    size_t number = choose(&lane->choices, (uint32_t)count) + (flaw == 3 ? count : 0);
    Call call = call_make(lane, NULL, "body %zu of %zu, flaw %u", number, count, flaw);
    call_output(&call, &body, sizeof body);
    if (flaw)
        call_expect(&call, flaw == 3 ? IMP_STATUS_BAD_INDEX : IMP_STATUS_BAD_ARGUMENT, ANY_INDEX);
    CALL(&call, imp_scene_get_body, (flaw == 1 ? NULL : scene, number, flaw == 2 ? NULL : &body));
    if (call_is_done(&call))
        CHECK(body.name && body.mesh && is_mesh_sound(body.mesh));
    if (call_is_done(&call) || flaw == 3)
        sample_scene(lane, scene, number, flaw ? NULL : &body);
    if (call_is_done(&call) && choose_rarely(&lane->choices, 4) && is_tame(body.mesh))
        lane_keep_mesh(lane, imp_mesh_retain(body.mesh));
}

void step_scene(Lane *lane)
{
    imp_Scene **place = &lane->scenes[choose(&lane->choices, MAX_SCENES)];
    have_file(lane);
    if (!*place && choose(&lane->choices, 2) == 0) {
        load_scene(lane, place);
        return;
    }
    use_scene(lane, *place ? *place : lane->shelf->scene);
    if (*place && choose_rarely(&lane->choices, 3)) {
        Call call = call_make(lane, NULL, "one");
        CALL_VOID(&call, imp_scene_destroy, (*place));
        *place = NULL;
    }
}
