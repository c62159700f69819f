#include "world/filters.h"

#include <string.h>

// Solids are decided before surfaces: where both could answer, the first one does.
const impi_Filter *const impi_filters[IMPI_FILTER_COUNT] = {
    &impi_separating_vector_filter, // solid and solid: do they touch?
    &impi_convex_mesh_filter,       // solid and mesh: do they touch?
    &impi_posed_boxes_filter,       // any two surfaces: which faces touch?
    &impi_exact_boxes_filter,       // the same, only by name
    &impi_smith_filter,             // the same, only by name
    &impi_containment_filter,       // what does not touch: is one inside the other?
    &impi_mesh_distance_filter,     // any two surfaces: how far apart?
    &impi_solid_distance_filter,    // a solid and anything: how far apart?
    &impi_sphere_refine_filter,     // bodies with sphere trees: as well as time allows
    &impi_time_of_impact_filter,    // any two surfaces on straight ways: when do they first touch?
    &impi_advancement_filter,       // any two bodies on any way: when do they first come near?
};

static bool takes(impi_KindPair pair, int a, int b)
{
    return ((pair.one & IMPI_KIND_BIT(a)) && (pair.other & IMPI_KIND_BIT(b))) ||
           ((pair.one & IMPI_KIND_BIT(b)) && (pair.other & IMPI_KIND_BIT(a)));
}

static void choose(imp_DetectMethod method, uint32_t number, impi_KindPair kinds, impi_FiltersByKind *choice)
{
    bool is_named = method != IMP_METHOD_AUTO && impi_filters[number]->method == method;
    for (int a = 0; a < IMPI_SHAPE_KIND_COUNT; ++a)
        for (int b = 0; b < IMPI_SHAPE_KIND_COUNT; ++b)
            if (takes(kinds, a, b) && (is_named || choice->filters[a][b] == IMPI_NO_FILTER))
                choice->filters[a][b] = number;
}

void impi_filters_choose(imp_DetectMethod method, impi_FilterChoice *choice)
{
    memset(choice, 0xFF, sizeof *choice); // IMPI_NO_FILTER everywhere
    for (uint32_t i = 0; i < IMPI_FILTER_COUNT; ++i) {
        choose(method, i, impi_filters[i]->takes_touch, &choice->touch);
        choose(method, i, impi_filters[i]->takes_faces, &choice->faces);
        choose(method, i, impi_filters[i]->takes_containment, &choice->containment);
        choose(method, i, impi_filters[i]->takes_distance, &choice->distance);
        choose(method, i, impi_filters[i]->takes_sweep, &choice->sweep);
        choose(method, i, impi_filters[i]->takes_advance, &choice->advance);
        choose(method, i, impi_filters[i]->takes_budget, &choice->budget);
    }
}

const impi_Filter *impi_filter_of(imp_DetectMethod method)
{
    for (size_t i = 0; i < IMPI_FILTER_COUNT; ++i)
        if (method != IMP_METHOD_AUTO && impi_filters[i]->method == method)
            return impi_filters[i];
    return NULL;
}

const char *imp_method_name(imp_DetectMethod method)
{
    const impi_Filter *filter = impi_filter_of(method);
    return filter ? filter->name : NULL;
}
