#include "object/pair_contacts.h"

#include "object/contact_curve.h"
#include "object/contact_depth.h"
#include "object/contact_shape.h"

#include <string.h>

void impi_contact_lists_free(const imp_Allocator *allocator, impi_ContactLists *lists)
{
    impi_array_free(allocator, &lists->contacts, sizeof *lists->contacts.data);
    impi_array_free(allocator, &lists->faces, sizeof *lists->faces.data);
    impi_array_free(allocator, &lists->polylines, sizeof *lists->polylines.data);
    impi_array_free(allocator, &lists->points, sizeof *lists->points.data);
}

// A contact for each region, with its face pairs. False when out of memory.
static bool list_regions(const imp_Allocator *allocator, const impi_ContactGraph *graph,
                         const imp_TouchingFaces *faces, impi_ContactLists *lists)
{
    lists->contacts.count = lists->faces.count = 0;
    if (!impi_array_reserve(allocator, &lists->contacts, sizeof *lists->contacts.data, graph->region_count) ||
        !impi_array_reserve(allocator, &lists->faces, sizeof *lists->faces.data, graph->pair_count))
        return false;
    for (uint32_t region = 0; region < graph->region_count; ++region) {
        const size_t *firsts = graph->region_pairs.firsts + region;
        imp_Contact *contact = &lists->contacts.data[lists->contacts.count++];
        memset(contact, 0, sizeof *contact); // padding too: reports are compared byte by byte
        contact->body_a = faces[0].body_a;
        contact->body_b = faces[0].body_b;
        contact->first_face = firsts[0];
        contact->face_count = firsts[1] - firsts[0];
        for (size_t i = firsts[0]; i < firsts[1]; ++i)
            lists->faces.data[lists->faces.count++] = faces[graph->region_pairs.items[i]];
    }
    return true;
}

imp_Status impi_pair_contacts_find(const imp_Allocator *allocator, impi_Arena *arena, impi_Budget *budget,
                                   const impi_ContactSide *a, const impi_ContactSide *b,
                                   const imp_TouchingFaces *faces, size_t count, impi_ContactLists *lists)
{
    impi_ContactGraph graph;
    imp_Status status = impi_contact_graph_make(arena, budget, a, b, faces, count, &graph);
    if (status == IMP_STATUS_OK &&
        (!list_regions(allocator, &graph, faces, lists) ||
         !impi_contact_curves_list(allocator, &graph, lists) || !impi_contact_shapes_find(&graph, lists)))
        status = IMP_STATUS_OUT_OF_MEMORY;
    return status == IMP_STATUS_OK ? impi_contact_depths_find(&graph, budget, lists) : status;
}
