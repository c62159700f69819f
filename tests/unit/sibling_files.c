// The files that a scene names: beside it or below, unless others are allowed.
#include "gltf_files.h"
#include "io/sibling_file.h"
#include "mesh_files.h"

#include <fcntl.h>
#include <sys/stat.h>

typedef struct Place {
    char folder[MAX_TEST_PATH], outer[MAX_TEST_PATH + 16];
    GltfFile *file;
} Place;

// outer/positions.bin and outer/scene/ with the same, links to both, and room for scenes.
static Place make_place(void)
{
    Place place = {.file = gltf_two_bodies()};
    char inner[MAX_TEST_PATH + 32];
    make_folder(place.folder);
    snprintf(place.outer, sizeof place.outer, "%s/outer", place.folder);
    snprintf(inner, sizeof inner, "%s/scene", place.outer);
    CHECK(mkdir(place.outer, 0777) == 0 && mkdir(inner, 0777) == 0);
    CHECK(mkdir(path_in(inner, "below"), 0777) == 0 && mkdir(path_in(inner, "folder"), 0777) == 0);
    write_file(path_in(place.outer, "positions.bin"), place.file->binary, place.file->binary_size);
    write_file(path_in(inner, "positions.bin"), place.file->binary, place.file->binary_size);
    write_file(path_in(inner, "below/a b.bin"), place.file->binary, place.file->binary_size);
    write_file(path_in(inner, "back\\slash.bin"), place.file->binary, place.file->binary_size);
    CHECK(symlink("below/a b.bin", path_in(inner, "inside.bin")) == 0);
    CHECK(symlink("../positions.bin", path_in(inner, "outside.bin")) == 0);
    CHECK(symlink("..", path_in(inner, "up")) == 0);
    CHECK(symlink("/dev/zero", path_in(inner, "zero.bin")) == 0);
    CHECK(mkfifo(path_in(inner, "pipe.bin"), 0600) == 0);
    return place;
}

static void remove_place(Place *place)
{
    static const char *const names[] = {"below/a b.bin", "below", "folder"};
    char inner[MAX_TEST_PATH + 32];
    snprintf(inner, sizeof inner, "%s/scene", place->outer);
    for (int i = 0; i < 3; ++i)
        remove(path_in(inner, names[i]));
    remove_folder(inner);
    remove_folder(place->outer);
    remove_folder(place->folder);
    free(place->file);
}

static void try_uri(const Place *place, const char *uri, bool allow_outside, imp_Status expected,
                    const char *message)
{
    imp_ContextDef def = {.allow_outside_files = allow_outside};
    imp_Context *context = NULL;
    imp_Scene *scene = NULL;
    imp_Mesh *mesh = NULL;
    char path[MAX_TEST_PATH + 64];
    GltfText *json = gltf_json(place->file, uri);
    snprintf(path, sizeof path, "%s/scene/a.gltf", place->outer);
    write_file(path, json->text, json->length);
    CHECK_INT(imp_context_create(&def, &context), IMP_STATUS_OK);
    bool held = CHECK_INT(imp_scene_load(context, path, &scene), expected);
    if (expected != IMP_STATUS_OK)
        held = CHECK_CONTAINS(imp_context_get_error(context)->message, message) && held;
    held = CHECK_INT(imp_mesh_load(context, path, &mesh), expected) && held;
    CHECK((scene != NULL) == (expected == IMP_STATUS_OK) && (mesh != NULL) == (expected == IMP_STATUS_OK));
    if (!held)
        printf("  %s: %s\n", uri, imp_context_get_error(context)->message);
    imp_scene_destroy(scene);
    imp_mesh_release(mesh);
    imp_context_destroy(context);
    free(json);
}

#define ONLY_BELOW "only files in the folder of this one or below are allowed, not '"

TEST(where_buffers_may_be)
{
    char absolute[2 * MAX_TEST_PATH], encoded[2 * MAX_TEST_PATH];
    Place place = make_place();
    snprintf(absolute, sizeof absolute, "%s/positions.bin", place.outer);
    snprintf(encoded, sizeof encoded, "%%2F%s/positions.bin", place.outer + 1);
    const struct {
        const char *uri;
        imp_Status status, status_outside; // without and with leave
        const char *message;
    } cases[] = {
        {"positions.bin", IMP_STATUS_OK, IMP_STATUS_OK, ""},
        {"./positions.bin", IMP_STATUS_OK, IMP_STATUS_OK, ""},
        {"below/a%20b.bin", IMP_STATUS_OK, IMP_STATUS_OK, ""},
        {"below/../positions.bin", IMP_STATUS_OK, IMP_STATUS_OK, ""},
        {"inside.bin", IMP_STATUS_OK, IMP_STATUS_OK, ""},
        {"back\\\\slash.bin", IMP_STATUS_OK, IMP_STATUS_OK, ""},
        {"../positions.bin", IMP_STATUS_UNSUPPORTED, IMP_STATUS_OK, ONLY_BELOW "../positions.bin'"},
        {"%2E%2e/positions.bin", IMP_STATUS_UNSUPPORTED, IMP_STATUS_OK, ONLY_BELOW "../positions.bin'"},
        {"below/../../positions.bin", IMP_STATUS_UNSUPPORTED, IMP_STATUS_OK, ONLY_BELOW},
        {"outside.bin", IMP_STATUS_UNSUPPORTED, IMP_STATUS_OK, ONLY_BELOW "outside.bin'"},
        {"up/positions.bin", IMP_STATUS_UNSUPPORTED, IMP_STATUS_OK, ONLY_BELOW "up/positions.bin'"},
        {absolute, IMP_STATUS_UNSUPPORTED, IMP_STATUS_OK, ONLY_BELOW "/"},
        {encoded, IMP_STATUS_UNSUPPORTED, IMP_STATUS_OK, ONLY_BELOW "/"},
        {"zero.bin", IMP_STATUS_UNSUPPORTED, IMP_STATUS_BAD_FILE, ONLY_BELOW "zero.bin'"},
        {"pipe.bin", IMP_STATUS_BAD_FILE, IMP_STATUS_BAD_FILE, "'pipe.bin' is no file"},
        {"folder", IMP_STATUS_BAD_FILE, IMP_STATUS_BAD_FILE, "'folder' is no file"},
        {"none.bin", IMP_STATUS_BAD_FILE, IMP_STATUS_BAD_FILE,
         "can't read 'none.bin': No such file or directory"},
        {"positions.bin%00.png", IMP_STATUS_BAD_FILE, IMP_STATUS_BAD_FILE, "its uri holds a zero byte"},
        {"http://example.org/a.bin", IMP_STATUS_UNSUPPORTED, IMP_STATUS_UNSUPPORTED,
         "its uri has the scheme 'http'"},
        {"file:positions.bin", IMP_STATUS_UNSUPPORTED, IMP_STATUS_UNSUPPORTED,
         "its uri has the scheme 'file'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        try_uri(&place, cases[i].uri, false, cases[i].status, cases[i].message);
        try_uri(&place, cases[i].uri, true, cases[i].status_outside, "");
    }
    remove_place(&place);
}

TEST(an_empty_uri)
{
    imp_Context *context = new_context();
    imp_Scene *scene = NULL;
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    gltf_save_changed(gltf_two_bodies(), path_in(folder, "a.gltf"), "\"uri\":\"", "\"uri\":\"\",\"x\":\"");
    CHECK_INT(imp_scene_load(context, path_in(folder, "a.gltf"), &scene), IMP_STATUS_BAD_FILE);
    CHECK_CONTAINS(imp_context_get_error(context)->message, "buffer 0: its uri is empty");
    imp_context_destroy(context);
    remove_folder(folder);
}

// All files of a scene together.
TEST(the_limit_counts_all_files)
{
    Place place = make_place();
    char path[MAX_TEST_PATH + 64];
    GltfText *json = gltf_json(place.file, "positions.bin");
    size_t total = json->length + place.file->binary_size;
    snprintf(path, sizeof path, "%s/scene/a.gltf", place.outer);
    write_file(path, json->text, json->length);
    for (int less = 0; less < 2; ++less) {
        imp_Context *context = NULL;
        imp_Scene *scene = NULL;
        CHECK_INT(imp_context_create(&(imp_ContextDef){.max_file_bytes = total - (size_t)less}, &context),
                  IMP_STATUS_OK);
        CHECK_INT(imp_scene_load(context, path, &scene), less ? IMP_STATUS_TOO_LARGE : IMP_STATUS_OK);
        if (less)
            CHECK_CONTAINS(imp_context_get_error(context)->message, "the files of the scene have ");
        imp_scene_destroy(scene);
        imp_context_destroy(context);
    }
    free(json);
    remove_place(&place);
}
