#include "sphere_text.h"

#include "kit/safe_text.h"

#include <stdlib.h>
#include <string.h>

const imp_Sphere *sphere_selection_spheres(const SphereSelection *selection, const SphereSet *set,
                                           size_t *count)
{
    imp_SphereLevel level;
    size_t last = imp_sphere_tree_get_level_count(set->tree) - 1;
    size_t index = selection->has_level ? selection->level : last;
    *count = 0;
    if (imp_sphere_tree_get_level(set->tree, index, &level) != IMP_STATUS_OK)
        return NULL;
    *count = level.count;
    return imp_sphere_tree_get_spheres(set->tree, NULL) + level.first;
}

const imp_Sphere *sphere_selection_rows(const SphereSelection *selection, const SphereSet *set, size_t *count)
{
    if (selection->has_level || imp_sphere_tree_get_level_count(set->tree) == 2)
        return sphere_selection_spheres(selection, set, count);
    return imp_sphere_tree_get_spheres(set->tree, count);
}

// ---- CSV

// -1 for none.
static void put_index(impi_Text *text, uint32_t index, uint32_t none)
{
    impi_text_put_integer(text, index == none ? -1 : (int64_t)index);
}

static void put_numbers(impi_Text *text, const double *numbers, size_t count,
                        void (*put)(impi_Text *, double))
{
    for (size_t i = 0; i < count; ++i) {
        put(text, numbers[i]);
        impi_text_put(text, ",");
    }
}

void sphere_put_csv(const SphereSelection *selection, impi_Text *text)
{
    size_t count;
    const imp_Sphere *spheres = sphere_selection_rows(selection, selection->sets, &count);
    int64_t first = spheres - imp_sphere_tree_get_spheres(selection->sets->tree, NULL);
    impi_text_put(text, "level,index,parent,x,y,z,radius,protrusion,surface_protrusion,"
                        "point_x,point_y,point_z,face\n");
    for (size_t i = 0; i < count; ++i) {
        const imp_Sphere *sphere = &spheres[i];
        const double center[] = {sphere->center.x, sphere->center.y, sphere->center.z};
        const double bounds[] = {sphere->radius, sphere->protrusion, sphere->surface_protrusion};
        const double point[] = {sphere->point.x, sphere->point.y, sphere->point.z};
        impi_text_put_integer(text, sphere->level);
        impi_text_put(text, ",");
        impi_text_put_integer(text, first + (int64_t)i);
        impi_text_put(text, ",");
        put_index(text, sphere->parent, IMP_NO_SPHERE);
        impi_text_put(text, ",");
        put_numbers(text, center, 3, impi_text_put_double);
        put_numbers(text, bounds, 3, impi_text_put_upper);
        put_numbers(text, point, 3, impi_text_put_double);
        put_index(text, sphere->face, IMP_NO_FACE);
        impi_text_put(text, "\n");
    }
}

// ---- JSON

void sphere_put_json(const SphereSelection *selection, impi_Text *text)
{
    impi_NamedSpheres *trees = calloc(selection->count, sizeof *trees);
    for (size_t i = 0; i < selection->count && trees; ++i)
        trees[i] = (impi_NamedSpheres){selection->sets[i].name, selection->sets[i].path,
                                       selection->sets[i].method, selection->sets[i].tree};
    if (trees)
        impi_sphere_file_put(text, trees, selection->count);
    text->out_of_memory |= !trees;
    free(trees);
}

// ---- YAML

// Readers of YAML 1.1 take a number for text unless it has a point, and a sign in its exponent.
static void put_yaml_number(impi_Text *text, double number, void (*put)(impi_Text *, double))
{
    char digits[64];
    size_t begin = text->bytes.count;
    put(text, number);
    size_t length = text->bytes.count - begin;
    if (text->out_of_memory || length >= sizeof digits)
        return;
    memcpy(digits, text->bytes.data + begin, length);
    digits[length] = 0;
    text->bytes.count = begin;
    size_t mantissa = strcspn(digits, "e");
    impi_text_append(text, digits, mantissa);
    if (!memchr(digits, '.', mantissa))
        impi_text_put(text, ".0");
    if (digits[mantissa])
        impi_text_printf(text, "e%s%s", digits[mantissa + 1] == '-' ? "" : "+", digits + mantissa + 1);
}

static void put_yaml_sphere(impi_Text *text, const imp_Sphere *sphere)
{
    impi_text_put(text, "    - center: [");
    put_yaml_number(text, sphere->center.x, impi_text_put_double);
    impi_text_put(text, ", ");
    put_yaml_number(text, sphere->center.y, impi_text_put_double);
    impi_text_put(text, ", ");
    put_yaml_number(text, sphere->center.z, impi_text_put_double);
    impi_text_put(text, "]\n      radius: ");
    put_yaml_number(text, sphere->radius, impi_text_put_upper);
    impi_text_put(text, "\n");
}

void sphere_put_yaml(const SphereSelection *selection, impi_Text *text)
{
    impi_text_put(text, "collision_spheres:\n");
    for (size_t i = 0; i < selection->count; ++i) {
        size_t count;
        const imp_Sphere *spheres = sphere_selection_spheres(selection, &selection->sets[i], &count);
        // Text in quotes is the same in JSON and YAML.
        impi_JsonWriter name = {.text = text};
        impi_text_put(text, "  ");
        impi_json_put_string(&name, selection->sets[i].name);
        impi_text_put(text, ":\n");
        for (size_t k = 0; k < count; ++k)
            put_yaml_sphere(text, &spheres[k]);
    }
}

// ---- URDF

static void put_collision(impi_Text *text, const imp_Sphere *sphere)
{
    impi_text_put(text, "    <collision>\n      <origin xyz=\"");
    impi_text_put_double(text, sphere->center.x);
    impi_text_put(text, " ");
    impi_text_put_double(text, sphere->center.y);
    impi_text_put(text, " ");
    impi_text_put_double(text, sphere->center.z);
    impi_text_put(text, "\" rpy=\"0 0 0\"/>\n      <geometry>\n        <sphere radius=\"");
    impi_text_put_upper(text, sphere->radius);
    impi_text_put(text, "\"/>\n      </geometry>\n    </collision>\n");
}

// Readers want a tree: what is no link of another is joined to the first one.
static void put_joint(impi_Text *text, const char *parent, const char *child)
{
    impi_text_put(text, "  <joint name=\"");
    impi_text_put_xml(text, child);
    impi_text_put(text, "_joint\" type=\"fixed\">\n    <parent link=\"");
    impi_text_put_xml(text, parent);
    impi_text_put(text, "\"/>\n    <child link=\"");
    impi_text_put_xml(text, child);
    impi_text_put(text, "\"/>\n  </joint>\n");
}

void sphere_put_urdf(const SphereSelection *selection, impi_Text *text)
{
    impi_text_put(text, "<?xml version=\"1.0\"?>\n<robot name=\"");
    impi_text_put_xml(text, selection->sets[0].name);
    impi_text_put(text, "\">\n");
    for (size_t i = 0; i < selection->count; ++i) {
        size_t count;
        const imp_Sphere *spheres = sphere_selection_spheres(selection, &selection->sets[i], &count);
        impi_text_put(text, "  <link name=\"");
        impi_text_put_xml(text, selection->sets[i].name);
        impi_text_put(text, "\">\n");
        for (size_t k = 0; k < count; ++k)
            put_collision(text, &spheres[k]);
        impi_text_put(text, "  </link>\n");
    }
    for (size_t i = 1; i < selection->count; ++i)
        put_joint(text, selection->sets[0].name, selection->sets[i].name);
    impi_text_put(text, "</robot>\n");
}
