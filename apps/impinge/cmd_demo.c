#include "command.h"
#include "scenes/shapes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEFAULT_FOLDER "impinge-demo"
#define MAX_PATH       1024

// The star leans in the ring, turned about x by a third of a right angle or so.
#define ARMS       5
#define ARM_LENGTH 0.45
#define THICKNESS  0.55
#define STAR_POSE  "0 0 0 0.96 -0.28 0 0"

typedef struct Demo {
    char ring[MAX_PATH], star[MAX_PATH], mesh[MAX_PATH], picture[MAX_PATH];
} Demo;

static bool join_path(const char *folder, const char *name, char path[MAX_PATH])
{
    return snprintf(path, MAX_PATH, "%s/%s", folder, name) < MAX_PATH;
}

static CommandResult make_paths(const char *folder, Demo *demo)
{
    if (!join_path(folder, "ring.ply", demo->ring) || !join_path(folder, "star.obj", demo->star) ||
        !join_path(folder, "touching.ply", demo->mesh) || !join_path(folder, "touching.svg", demo->picture))
        return command_fail("%s: the name is too long", folder);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return command_fail("%s: %s", folder, strerror(errno));
    return COMMAND_DONE;
}

// A flattened sphere that reaches out where the real part of (x + iy)^ARMS is large.
static imp_Status make_star(imp_Context *context, imp_Mesh **star)
{
    imp_Mesh *sphere = NULL;
    imp_Status status = scene_sphere(context, 80, 36, 1.0, &sphere);
    if (status != IMP_STATUS_OK)
        return status;
    size_t count = imp_mesh_get_vertex_count(sphere);
    imp_Vec3 *vertices = malloc(count * sizeof *vertices);
    for (size_t i = 0; vertices && i < count; ++i) {
        imp_Vec3 p = imp_mesh_get_vertices(sphere)[i];
        double real = 1, imaginary = 0;
        for (int k = 0; k < ARMS; ++k) {
            double next = real * p.x - imaginary * p.y;
            imaginary = real * p.y + imaginary * p.x;
            real = next;
        }
        double radius = 1 + ARM_LENGTH * real;
        vertices[i] = (imp_Vec3){radius * p.x, radius * p.y, THICKNESS * radius * p.z};
    }
    imp_MeshDef def = {.vertices = vertices ? &vertices[0].x : NULL,
                       .vertex_count = count,
                       .indices = imp_mesh_get_indices(sphere),
                       .triangle_count = imp_mesh_get_triangle_count(sphere)};
    status = vertices ? imp_mesh_create(context, &def, star) : IMP_STATUS_OUT_OF_MEMORY;
    free(vertices);
    imp_mesh_release(sphere);
    return status;
}

static CommandResult write_objects(const Demo *demo)
{
    imp_Context *context = command_create_context(&(imp_ContextDef){.thread_count = 1});
    if (!context)
        return COMMAND_FAILED;
    imp_Mesh *ring = NULL, *star = NULL;
    imp_Status status = scene_torus(context, 80, 28, 1.12, 0.22, &ring);
    if (status == IMP_STATUS_OK)
        status = make_star(context, &star);
    if (status == IMP_STATUS_OK)
        status = imp_mesh_save(context, ring, demo->ring);
    if (status == IMP_STATUS_OK)
        status = imp_mesh_save(context, star, demo->star);
    CommandResult result = status == IMP_STATUS_OK              ? COMMAND_DONE
                           : status == IMP_STATUS_OUT_OF_MEMORY ? command_fail("out of memory")
                                                                : command_fail_in(context);
    imp_mesh_release(ring);
    imp_mesh_release(star);
    imp_context_destroy(context);
    return result;
}

// As a shell reads it.
static void put_word(impi_Text *output, const char *word)
{
    bool is_plain =
        word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./")] == 0;
    if (is_plain) {
        impi_text_printf(output, " %s", word);
        return;
    }
    impi_text_put(output, " '");
    for (; *word; ++word)
        impi_text_append(output, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
    impi_text_put(output, "'");
}

static void put_check(impi_Text *output, char **words, int count)
{
    impi_text_put(output, " ");
    put_word(output, command_program);
    put_word(output, command_check.name);
    for (int i = 0; i < count; ++i)
        put_word(output, words[i]);
    impi_text_put(output, "\n");
}

static CommandResult check(Demo *demo, impi_Text *output)
{
    char pose[] = "--pose", star_number[] = "1", star_pose[] = STAR_POSE, mesh[] = "-o",
         picture[] = "--picture", csv[] = "--csv";
    char *words[] = {demo->ring, demo->star, pose,    star_number,  star_pose,
                     mesh,       demo->mesh, picture, demo->picture};
    char *next_words[] = {demo->ring, demo->star, pose, star_number, star_pose, csv};
    int count = sizeof words / sizeof *words, next_count = sizeof next_words / sizeof *next_words;
    Options options;
    CommandResult result = COMMAND_FAILED;
    put_check(output, words, count);
    impi_text_put(output, "\n");
    if (options_parse(&command_check.options, count, words, &options) == OPTIONS_OK)
        result = command_check.run(&options, output);
    else
        command_fail("demo: %s", options.error);
    options_free(&options);
    if (result == COMMAND_FAILED)
        return result;
    impi_text_printf(output,
                     "\nOpen %s in a browser, %s in a mesh viewer.\n"
                     "To see which faces they are, try:\n\n",
                     demo->picture, demo->mesh);
    put_check(output, next_words, next_count);
    return COMMAND_DONE;
}

static CommandResult run_demo(const Options *options, impi_Text *output)
{
    Demo demo;
    const char *folder = options->argument_count ? options->arguments[0] : DEFAULT_FOLDER;
    if (make_paths(folder, &demo) != COMMAND_DONE || write_objects(&demo) != COMMAND_DONE)
        return COMMAND_FAILED;
    impi_text_printf(output,
                     "Two objects made by code, a ring and a star:\n%s\n%s\nDo they touch, and where?\n\n",
                     demo.ring, demo.star);
    return check(&demo, output);
}

const Command command_demo = {
    .name = "demo",
    .summary = "make two objects that touch, and check them",
    .details = "Writes a ring and a star into DIR (default: " DEFAULT_FOLDER ", made when it is not there),\n"
               "checks them, and tells how. Beside them lie touching.ply, the touching faces coloured,\n"
               "and touching.svg, a picture.\n",
    .examples = "  impinge demo\n"
                "  impinge demo /tmp/demo\n",
    .options = {NULL, 0, 0, 1, "[DIR]"},
    .run = run_demo,
};
