#include "sphere_report.h"

#include "body_labels.h"
#include "kit/safe_text.h"
#include "kit/text_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SCHEMA_VERSION 1
#define MAX_CELL       32
#define LEVEL_WIDTH    5
#define COUNT_WIDTH    9
#define NUMBER_WIDTH   9 // and a space before it
#define DIGITS         4 // of protrusions

static double root_radius(const SphereSet *set)
{
    return imp_sphere_tree_get_spheres(set->tree, NULL)->radius;
}

// ---- for people

// Few digits, and not less than the number: bounds stay bounds.
static void format_upper(double number, char cell[MAX_CELL])
{
    snprintf(cell, MAX_CELL, "%.*g", DIGITS, number);
    double shown = strtod(cell, NULL);
    if (shown < number)
        snprintf(cell, MAX_CELL, "%.*g", DIGITS, shown + pow(10, floor(log10(number)) - DIGITS + 1));
}

static void put_cell(const char *text, impi_Text *output)
{
    impi_text_put(output, " ");
    impi_text_put_right(output, text, NUMBER_WIDTH);
}

// A protrusion, and its share of the root's radius.
static void put_protrusion(double protrusion, double radius, impi_Text *output)
{
    char cell[MAX_CELL];
    format_upper(protrusion, cell);
    put_cell(cell, output);
    if (radius > 0)
        format_upper(protrusion / radius, cell);
    put_cell(radius > 0 ? cell : "-", output);
}

static void put_headings(bool is_solid, impi_Text *output)
{
    size_t width = 4 * (1 + NUMBER_WIDTH);
    impi_text_put_spaces(output, LEVEL_WIDTH + COUNT_WIDTH);
    if (is_solid)
        impi_text_put_right(output, "protrusion, of a solid", width);
    impi_text_put_right(output, "protrusion, of a surface", width);
    impi_text_put(output, "\n");
    impi_text_put_right(output, "level", LEVEL_WIDTH);
    impi_text_put_right(output, "spheres", COUNT_WIDTH);
    for (int i = 0; i < (is_solid ? 2 : 1); ++i) {
        put_cell("largest", output);
        put_cell("/ root", output);
        put_cell("mean", output);
        put_cell("/ root", output);
    }
    impi_text_put(output, "\n");
}

static void put_levels(const SphereSet *set, impi_Text *output)
{
    bool is_solid = imp_sphere_tree_is_solid(set->tree);
    double radius = root_radius(set);
    imp_SphereLevel level;
    put_headings(is_solid, output);
    for (size_t i = 0; imp_sphere_tree_get_level(set->tree, i, &level) == IMP_STATUS_OK; ++i) {
        impi_text_put_number(output, i, LEVEL_WIDTH);
        impi_text_put_number(output, level.count, COUNT_WIDTH);
        if (is_solid) {
            put_protrusion(level.largest_protrusion, radius, output);
            put_protrusion(level.mean_protrusion, radius, output);
        }
        put_protrusion(level.largest_surface_protrusion, radius, output);
        put_protrusion(level.mean_surface_protrusion, radius, output);
        impi_text_put(output, "\n");
    }
}

void sphere_report_put(const SphereSets *sets, impi_Text *output)
{
    for (size_t i = 0; i < sets->count; ++i) {
        const SphereSet *set = &sets->sets[i];
        size_t count;
        imp_sphere_tree_get_spheres(set->tree, &count);
        impi_text_put_shown(output, set->path);
        impi_text_printf(output, ": %zu sphere%s by %s, root radius %.6g, %.3g s\n", count,
                         count == 1 ? "" : "s", set->method, root_radius(set), set->seconds);
        impi_text_printf(output, "covered, proven: %s\n\n",
                         imp_sphere_tree_get_cover(set->tree) == IMP_COVER_SOLID
                             ? "all of the surface and of the inside"
                             : "all of the surface");
        put_levels(set, output);
        impi_text_put(output, "\n");
    }
    impi_text_put(output,
                  "Protrusions are proven upper bounds: no point of a sphere is farther from the body.\n");
}

// ---- for programs

static const char *reading_of(const SphereSet *set)
{
    return imp_sphere_tree_is_solid(set->tree) ? "solid" : "surface";
}

void sphere_report_put_csv(const SphereSets *sets, impi_Text *output)
{
    impi_text_put(output, "name,method,cover,reading,root_radius,seconds,level,spheres,largest_protrusion,"
                          "mean_protrusion,largest_surface_protrusion,mean_surface_protrusion\n");
    for (size_t i = 0; i < sets->count; ++i) {
        const SphereSet *set = &sets->sets[i];
        imp_SphereLevel level;
        for (size_t k = 0; imp_sphere_tree_get_level(set->tree, k, &level) == IMP_STATUS_OK; ++k) {
            const double bounds[] = {level.largest_protrusion, level.mean_protrusion,
                                     level.largest_surface_protrusion, level.mean_surface_protrusion};
            label_put_csv(set->name, output);
            impi_text_printf(output, ",%s,%s,%s,", set->method,
                             impi_sphere_cover_name(imp_sphere_tree_get_cover(set->tree)), reading_of(set));
            impi_text_put_upper(output, root_radius(set));
            impi_text_printf(output, ",%.6f,%zu,%u", set->seconds, k, level.count);
            for (size_t b = 0; b < sizeof bounds / sizeof *bounds; ++b) {
                impi_text_put(output, ",");
                impi_text_put_upper(output, bounds[b]);
            }
            impi_text_put(output, "\n");
        }
    }
}

static void put_json_set(impi_JsonWriter *json, const SphereSet *set)
{
    const struct {
        const char *key, *word;
    } words[] = {
        {"name", set->name},     {"file", set->path},
        {"method", set->method}, {"cover", impi_sphere_cover_name(imp_sphere_tree_get_cover(set->tree))},
        {"coverage", "proven"},  {"reading", reading_of(set)}};
    size_t count;
    imp_sphere_tree_get_spheres(set->tree, &count);
    impi_json_begin_object(json);
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        impi_json_put_key(json, words[i].key);
        impi_json_put_string(json, words[i].word);
    }
    impi_json_put_key(json, "sphere_count");
    impi_json_put_integer(json, count);
    impi_json_put_key(json, "root_radius");
    impi_json_put_upper(json, root_radius(set));
    impi_json_put_key(json, "seconds");
    impi_json_put_double(json, set->seconds);
    impi_sphere_levels_put(json, set->tree);
    impi_json_end_object(json);
}

void sphere_report_put_json(const SphereSets *sets, impi_Text *output)
{
    impi_JsonWriter json = impi_json_begin_document(output, SCHEMA_VERSION);
    impi_json_put_key(&json, "meshes");
    impi_json_begin_array(&json);
    for (size_t i = 0; i < sets->count; ++i)
        put_json_set(&json, &sets->sets[i]);
    impi_json_end_array(&json);
    impi_json_end_document(&json);
}
