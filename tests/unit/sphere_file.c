#include "kit/sphere_file.h"

#include "failing_allocator.h"
#include "harness.h"
#include "mesh_files.h"
#include "scenes/shapes.h"

#include <impinge/impinge.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[MAX_TEST_PATH], path[MAX_TEST_PATH + 16];

static void clean_up(void)
{
    remove_folder(folder);
}

static void write_text(const char *bytes, size_t size)
{
    if (!folder[0]) {
        make_folder(folder);
        atexit(clean_up);
    }
    snprintf(path, sizeof path, "%s/tree.json", folder);
    FILE *file = fopen(path, "wb");
    if (!CHECK(file != NULL))
        return;
    CHECK(fwrite(bytes, 1, size, file) == size);
    CHECK(fclose(file) == 0);
}

static imp_SphereTree *make_tree(imp_Context *context)
{
    imp_Mesh *box = NULL;
    imp_SphereTree *tree = NULL;
    CHECK_INT(scene_box(context, (imp_Vec3){0, 0, 0}, (imp_Vec3){1, 2, 3}, &box), IMP_STATUS_OK);
    imp_SphereTreeDef def = {.mesh = box, .method = IMP_SPHERES_OCTREE, .depth = 1};
    CHECK_INT(imp_sphere_tree_create(context, &def, &tree), IMP_STATUS_OK);
    imp_mesh_release(box);
    return tree;
}

static void write_trees(imp_Context *context)
{
    imp_SphereTree *tree = make_tree(context);
    impi_NamedSpheres trees[] = {{"one\n\"", "one.obj", impi_sphere_method_name(IMP_SPHERES_OCTREE), tree},
                                 {"two", "two.obj", IMPI_GIVEN_METHOD, tree}};
    impi_Text text;
    impi_text_begin(&text);
    impi_sphere_file_put(&text, trees, 2);
    CHECK(!text.out_of_memory);
    write_text(text.bytes.data, text.bytes.count);
    impi_text_free(&text);
    imp_sphere_tree_release(tree);
}

TEST(what_is_written_reads_back)
{
    imp_Context *context = NULL;
    impi_SphereFile file;
    size_t count;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    write_trees(context);
    imp_SphereTree *tree = make_tree(context);
    const imp_Sphere *spheres = imp_sphere_tree_get_spheres(tree, &count);
    if (!CHECK_INT(impi_sphere_file_load(context, path, &file), IMP_STATUS_OK))
        return;
    CHECK_INT(file.trees.count, 2);
    CHECK_TEXT(file.trees.data[0].name, "one\n\"");
    CHECK_TEXT(file.trees.data[1].name, "two");
    CHECK_TEXT(file.trees.data[0].method, "octree");
    CHECK_TEXT(file.trees.data[1].method, "given");
    for (size_t t = 0; t < file.trees.count; ++t) {
        const impi_ReadSpheres *read = &file.trees.data[t];
        CHECK_INT(read->cover, IMP_COVER_SURFACE);
        CHECK_INT(read->spheres.count, count);
        for (size_t i = 0; i < count && i < read->spheres.count; ++i) {
            const imp_GivenSphere *sphere = &read->spheres.data[i];
            CHECK(memcmp(&sphere->center, &spheres[i].center, sizeof sphere->center) == 0);
            CHECK(sphere->radius == spheres[i].radius && sphere->parent == spheres[i].parent);
        }
    }
    impi_sphere_file_free(&file);
    imp_sphere_tree_release(tree);
    imp_context_destroy(context);
}

TEST(each_allocation_may_fail)
{
    FailingAllocator memory;
    imp_Context *keeper = NULL;
    uint64_t n = 0;
    CHECK_INT(imp_context_create(NULL, &keeper), IMP_STATUS_OK);
    write_trees(keeper);
    do {
        imp_Context *context = NULL;
        impi_SphereFile file;
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        if (imp_context_create(&def, &context) == IMP_STATUS_OK) {
            imp_Status status = impi_sphere_file_load(context, path, &file);
            CHECK(status == IMP_STATUS_OK || status == IMP_STATUS_OUT_OF_MEMORY);
            CHECK((status == IMP_STATUS_OK) != failing_allocator_has_failed(&memory));
            if (status == IMP_STATUS_OK)
                impi_sphere_file_free(&file);
        }
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 5);
    imp_context_destroy(keeper);
}

TEST(what_is_wrong_is_named)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", "tree.json"},
        {"7", "no file of sphere trees"},
        {"{}", "no file of sphere trees"},
        {"{\"schema_version\": \"1\", \"trees\": []}", "no file of sphere trees"},
        {"{\"schema_version\": 1, \"trees\": {}}", "no file of sphere trees"},
        {"{\"schema_version\": 9, \"trees\": []}", "this version"},
        {"{\"schema_version\": 1, \"trees\": [7]}", "no \"name\""},
        {"{\"schema_version\": 1, \"trees\": [{\"name\": 7}]}", "no \"name\""},
        {"{\"schema_version\": 1, \"trees\": [{\"name\": \"a\", \"cover\": 7}]}", "no \"cover\""},
        {"{\"schema_version\": 1, \"trees\": [{\"name\": \"a\", \"cover\": \"solid\"}]}", "no \"spheres\""},
        {"{\"schema_version\": 1, \"trees\": [{\"name\": \"a\", \"cover\": \"solid\", \"spheres\": [7]}]}",
         "sphere 0 has no \"center\""},
        {"{\"schema_version\": 1, \"trees\": [{\"name\": \"a\", \"cover\": \"solid\", \"spheres\": "
         "[{\"center\": [1, 2]}]}]}",
         "sphere 0 has no \"center\""},
        {"{\"schema_version\": 1, \"trees\": [{\"name\": \"a\", \"cover\": \"solid\", \"spheres\": "
         "[{\"center\": [1, [2], 3]}]}]}",
         "sphere 0 has no \"center\""},
        {"{\"schema_version\": 1, \"trees\": [{\"name\": \"a\", \"cover\": \"solid\", \"spheres\": "
         "[{\"center\": [1, 2, 3], \"parent\": null}]}]}",
         "sphere 0 has no \"radius\""},
        {"{\"schema_version\": 1, \"trees\": [{\"name\": \"a\", \"cover\": \"solid\", \"spheres\": "
         "[{\"center\": [1, 2, 3], \"radius\": 4, \"parent\": -1}]}]}",
         "sphere 0 has no \"parent\""},
        {"{\"schema_version\": 1, \"trees\": [{\"name\": \"a\", \"cover\": \"solid\", \"spheres\": "
         "[{\"center\": [1, 2, 3], \"radius\": 4, \"parent\": 4294967295}]}]}",
         "sphere 0 has no \"parent\""},
    };
    imp_Context *context = NULL;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        impi_SphereFile file;
        write_text(cases[i].text, strlen(cases[i].text));
        CHECK_INT(impi_sphere_file_load(context, path, &file), IMP_STATUS_BAD_FILE);
        CHECK_CONTAINS(imp_context_get_error(context)->message, cases[i].part);
    }
    impi_SphereFile file;
    CHECK_INT(impi_sphere_file_load(context, "/nowhere/tree.json", &file), IMP_STATUS_IO);
    imp_context_destroy(context);
}
