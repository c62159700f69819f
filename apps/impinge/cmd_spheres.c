#include "arguments.h"
#include "file_options.h"
#include "picture_options.h"
#include "sphere_output.h"
#include "sphere_report.h"

#include <string.h>

// ---- what is asked for

static CommandResult choose_word(const char *option, const char *word, const char *const *names, size_t count,
                                 size_t *chosen)
{
    for (size_t i = 0; i < count && word; ++i)
        if (strcmp(word, names[i]) == 0) {
            *chosen = i;
            return COMMAND_DONE;
        }
    if (!word)
        return COMMAND_DONE;
    return count == 2 ? command_fail("--%s: expected %s or %s, got \"%s\"", option, names[0], names[1], word)
                      : command_fail("--%s: expected %s, %s or %s, got \"%s\"", option, names[0], names[1],
                                     names[2], word);
}

// Levels, a count or a largest protrusion: one of them.
static CommandResult parse_kind(const Options *options, imp_SphereTreeDef *def)
{
    const char *branch = options_value(options, "branch"), *depth = options_value(options, "depth");
    const char *count = options_value(options, "count"), *protrusion = options_value(options, "protrusion");
    if (count && protrusion)
        return command_fail("--count and --protrusion: only one of them can be asked for");
    if ((count || protrusion) && (branch || depth))
        return command_fail(
            "--%s makes a flat set of spheres, and --%s is for levels: only one of them can be "
            "asked for",
            count ? "count" : "protrusion", branch ? "branch" : "depth");
    if (branch && !argument_integer("branch", branch, 2, IMP_MAX_SPHERE_BRANCH, &def->branch))
        return COMMAND_FAILED;
    if (depth && !argument_integer("depth", depth, 1, IMP_MAX_SPHERE_DEPTH, &def->depth))
        return COMMAND_FAILED;
    if (count && !argument_integer("count", count, 1, IMP_MAX_SPHERE_COUNT - 1, &def->count))
        return COMMAND_FAILED;
    if (protrusion && !argument_length_above_zero("protrusion", protrusion, &def->protrusion))
        return COMMAND_FAILED;
    return COMMAND_DONE;
}

static CommandResult parse_sets(const Options *options, SphereSetsDef *def)
{
    static const char *const makers[] = {"branch", "depth", "count", "protrusion", "method", "cover"};
    static const char *const methods[] = {"fit", "medial", "octree"}, *const covers[] = {"surface", "solid"};
    size_t method = IMP_SPHERES_FIT, cover = IMP_COVER_SURFACE;
    def->from_path = options_value(options, "from");
    for (size_t i = 0; i < sizeof makers / sizeof *makers && def->from_path; ++i)
        if (options_has(options, makers[i]))
            return command_fail("--from takes spheres as they are in %s; --%s would make others",
                                def->from_path, makers[i]);
    if (parse_kind(options, &def->tree) != COMMAND_DONE ||
        choose_word("method", options_value(options, "method"), methods, 3, &method) != COMMAND_DONE ||
        choose_word("cover", options_value(options, "cover"), covers, 2, &cover) != COMMAND_DONE)
        return COMMAND_FAILED;
    def->tree.method = (imp_SphereMethod)method;
    def->tree.cover = (imp_SphereCover)cover;
    return COMMAND_DONE;
}

// ---- all together

static CommandResult make_and_save(const Options *options, const SphereSetsDef *def,
                                   const SphereOutput *where, SphereSets *sets, impi_Text *output)
{
    bool is_json = options_has(options, "json"), is_csv = options_has(options, "csv");
    SphereFiles files;
    impi_Text saved;
    impi_text_begin(&saved);
    CommandResult result = sphere_files_plan(where, sets, def, &files);
    if (result == COMMAND_DONE)
        result = sphere_sets_make(sets, def);
    if (result == COMMAND_DONE)
        result = sphere_files_save(&files, where, sets, &saved);
    if (result == COMMAND_DONE && is_json) {
        sphere_report_put_json(sets, output);
    } else if (result == COMMAND_DONE && is_csv) {
        sphere_report_put_csv(sets, output);
    } else if (result == COMMAND_DONE) {
        sphere_report_put(sets, output);
        impi_text_append(output, saved.bytes.data, saved.bytes.count);
    }
    impi_text_free(&saved);
    sphere_files_free(&files);
    return result;
}

static CommandResult run_spheres(const Options *options, impi_Text *output)
{
    SphereSetsDef def = {0};
    SphereOutput where;
    SphereSets sets = {0};
    const char *threads = options_value(options, "threads");
    uint32_t thread_count = 0;
    if (options_has(options, "json") && options_has(options, "csv"))
        return command_fail("--json and --csv: only one of them can be printed");
    if (threads && !argument_integer("threads", threads, 1, IMP_MAX_THREADS, &thread_count))
        return COMMAND_FAILED;
    if (parse_sets(options, &def) != COMMAND_DONE || sphere_output_parse(options, &where) != COMMAND_DONE)
        return COMMAND_FAILED;
    imp_Context *context = file_options_create_context(options, thread_count);
    if (!context)
        return COMMAND_FAILED;
    CommandResult result = sphere_sets_list(context, options->arguments, options->argument_count, &sets);
    if (result == COMMAND_DONE)
        result = make_and_save(options, &def, &where, &sets, output);
    sphere_sets_free(&sets);
    imp_context_destroy(context);
    return result;
}

static const OptionSpec spheres_options[] = {
    {.name = "output",
     .letter = 'o',
     .value_count = 1,
     .values = "FILE",
     .help = "write the spheres; the ending says how: .csv and .json hold the\n"
             "tree, .yml (cuRobo) and .urdf one level of it, .obj .stl .ply\n"
             ".off and .svg show it. {} in FILE stands for the name of each\n"
             "mesh; FILE can be a folder, too, with --format"},
    {.name = "format",
     .value_count = 1,
     .values = "FORMAT",
     .help = "instead of an ending: csv, json, yaml, urdf, obj, stl, ply,\n"
             "off or svg",
     .choice = sphere_format_name},
    {.name = "level",
     .value_count = 1,
     .values = "L",
     .help = "of which level the spheres are written, by formats that hold\n"
             "one, and by csv; 0 is the root (default: the last)"},
    {.name = "branch",
     .value_count = 1,
     .values = "N",
     .help = "children of each sphere, 2 to 1024 (default 8)"},
    {.name = "depth", .value_count = 1, .values = "N", .help = "levels below the root, 1 to 20 (default 3)"},
    {.name = "count", .value_count = 1, .values = "N", .help = "no levels: a flat set of at most N spheres"},
    {.name = "protrusion",
     .value_count = 1,
     .values = "LENGTH",
     .help = "no levels: few spheres that stick out no farther than this, of\n"
             "the solid where the mesh is closed"},
    {.name = "method",
     .value_count = 1,
     .values = "fit|medial|octree",
     .help = "how they are made: fitted to parts of the surface (default),\n"
             "around the medial axis (needs qhull), around octree cells"},
    {.name = "cover",
     .value_count = 1,
     .values = "surface|solid",
     .help = "what they hold: the surface (default), or also the inside,\n"
             "for meshes that are closed"},
    {.name = "from",
     .value_count = 1,
     .values = "TREE.json",
     .help = "take the spheres from a file, and prove anew that they cover"},
    PICTURE_OPTIONS,
    {.name = "threads", .value_count = 1, .values = "N", .help = "default: all cores that it may use"},
    {.name = "csv", .help = "print the report as CSV, a line for each level"},
    {.name = "json", .help = "print the report as JSON, for programs"},
    FILE_SIZE_OPTION,
    FILE_PLACE_OPTION,
};

const Command command_spheres = {
    .name = "spheres",
    .summary = "spheres that cover a mesh, level by level",
    .details = "Makes a tree of spheres for each mesh, or a flat set of them, and proves that they hold\n"
               "all of its surface: at each level, each point of it is in a sphere whose ancestors hold\n"
               "it too. Tells how far they stick out: proven upper bounds, for closed meshes both as a\n"
               "solid and as a surface. Folders stand for all meshes in them.\n",
    .examples = "  impinge spheres bunny.obj                           how close do 8, 64, 512 get?\n"
                "  impinge spheres bunny.obj -o bunny.svg              a picture of the levels\n"
                "  impinge spheres bunny.obj -o tree.csv --depth 4\n"
                "  impinge spheres links/ -o robot.yml --count 20      20 for each link, for cuRobo\n"
                "  impinge spheres links/*.stl -o 'out/{}.csv'         a file for each mesh\n"
                "  impinge spheres bunny.obj --from tree.json -o robot.urdf\n",
    .options = {spheres_options, sizeof spheres_options / sizeof *spheres_options, 1, 0, "FILE|DIR..."},
    .run = run_spheres,
};
