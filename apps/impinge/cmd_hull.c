#include "file_options.h"
#include "kit/json_writer.h"
#include "kit/safe_text.h"

#define SCHEMA_VERSION 1

// What is told of a hull.
typedef struct HullReport {
    const char *in_path, *out_path;
    size_t point_count; // of the file it is made from
    imp_MeshInfo mesh;
} HullReport;

static void put_json(const HullReport *report, impi_Text *output)
{
    const struct {
        const char *key;
        size_t count;
    } counts[] = {{"point_count", report->point_count},
                  {"vertex_count", report->mesh.vertex_count},
                  {"triangle_count", report->mesh.triangle_count}};
    impi_JsonWriter json = impi_json_begin_document(output, SCHEMA_VERSION);
    impi_json_put_key(&json, "input");
    impi_json_put_string(&json, report->in_path);
    impi_json_put_key(&json, "output");
    impi_json_put_string(&json, report->out_path);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        impi_json_put_key(&json, counts[i].key);
        impi_json_put_integer(&json, counts[i].count);
    }
    impi_json_put_key(&json, "volume");
    impi_json_put_double(&json, report->mesh.volume);
    impi_json_put_key(&json, "area");
    impi_json_put_double(&json, report->mesh.area);
    impi_json_end_document(&json);
}

static void put_line(const HullReport *report, impi_Text *output)
{
    impi_text_put_shown(output, report->out_path);
    impi_text_printf(output, ": %zu vertices, %zu triangles, volume %.9g, area %.9g\n",
                     report->mesh.vertex_count, report->mesh.triangle_count, report->mesh.volume,
                     report->mesh.area);
}

// Null after saying why: what is wrong with the points is wrong with the file.
static imp_Convex *create_hull(imp_Context *context, const imp_Mesh *mesh, bool keep_coplanar,
                               const char *path)
{
    imp_Convex *hull = NULL;
    imp_ConvexDef def = {.points = &imp_mesh_get_vertices(mesh)->x,
                         .point_count = imp_mesh_get_vertex_count(mesh),
                         .point_stride = sizeof(imp_Vec3),
                         .keep_coplanar = keep_coplanar};
    if (imp_convex_create(context, &def, &hull) != IMP_STATUS_OK)
        command_fail("%s: %s", path, imp_context_get_error(context)->message);
    return hull;
}

static CommandResult save_hull(imp_Context *context, const Options *options, HullReport *report)
{
    CommandResult result = COMMAND_DONE;
    imp_Mesh *mesh = command_load_mesh(context, report->in_path);
    if (!mesh)
        return COMMAND_FAILED;
    report->point_count = imp_mesh_get_vertex_count(mesh);
    imp_Convex *hull = create_hull(context, mesh, options_has(options, "keep-coplanar"), report->in_path);
    imp_mesh_release(mesh);
    if (!hull)
        return COMMAND_FAILED;
    const imp_Mesh *surface = imp_convex_get_mesh(hull);
    if (imp_mesh_analyse(context, surface, &report->mesh) != IMP_STATUS_OK ||
        imp_mesh_save(context, surface, report->out_path) != IMP_STATUS_OK)
        result = command_fail_in(context);
    imp_convex_release(hull);
    return result;
}

static CommandResult run_hull(const Options *options, impi_Text *output)
{
    HullReport report = {.in_path = options->arguments[0], .out_path = options->arguments[1]};
    imp_Context *context = file_options_create_context(options, 0);
    if (!context)
        return COMMAND_FAILED;
    impi_Progress *progress = impi_progress_begin();
    command_show_progress(context, progress);
    CommandResult result = save_hull(context, options, &report);
    command_show_progress(context, NULL);
    impi_progress_end(progress);
    if (result == COMMAND_DONE && options_has(options, "json"))
        put_json(&report, output);
    else if (result == COMMAND_DONE)
        put_line(&report, output);
    imp_context_destroy(context);
    return result;
}

static const OptionSpec hull_options[] = {
    {.name = "keep-coplanar",
     .help = "make vertices also of points that lie inside of a face or an\n"
             "edge of the hull"},
    {.name = "json", .help = "print JSON, for programs"},
    FILE_SIZE_OPTION,
    FILE_PLACE_OPTION,
};

const Command command_hull = {
    .name = "hull",
    .summary = "the convex hull of a mesh",
    .details = "The hull of all vertices of IN, computed exactly, as triangles that are turned outward.\n"
               "Vertices keep their order. The ending of OUT decides on the format: .obj, .stl, .ply or\n"
               ".off. Coordinates are written so that they read back identical, except to STL, which\n"
               "holds single precision. OUT appears whole or not at all.\n",
    .examples = "  impinge hull bunny.obj hull.obj\n"
                "  impinge hull part.stl hull.ply --keep-coplanar\n"
                "  impinge hull --json scan.ply hull.off       counts, volume and area for a program\n",
    .options = {hull_options, sizeof hull_options / sizeof *hull_options, 2, 2, "IN OUT"},
    .run = run_hull,
};
