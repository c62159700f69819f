// qhull leaves its functions by jumps when something is wrong. Only qh_new_qhull does here, into itself: what
// is called after it does not fail, and nothing of ours is on the way.
#include "shape/qhull.h"

#ifdef IMPINGE_QHULL_SONAME

#include "base/library_function.h"

#include <libqhull_r/libqhull_r.h>
#include <stdio.h>

#define PACKAGE_HINT "install the package libqhull-r8.0"
#define DIMENSION    3

// The functions of qhull that are used here, under its names.
typedef struct Library {
    void (*zero)(qhT *qh, FILE *errors);
    int (*new_qhull)(qhT *qh, int dimension, int point_count, coordT *points, boolT is_malloc, char *command,
                     FILE *output, FILE *errors);
    void (*freeqhull)(qhT *qh, boolT all_memory);
    void (*memfreeshort)(qhT *qh, int *long_count, int *long_bytes);
} Library;

static bool open_library(Library *library)
{
    // Opened once more for each use and never closed: the loader counts.
    void *handle = dlopen(IMPINGE_QHULL_SONAME, RTLD_NOW | RTLD_LOCAL);
    return handle && impi_library_function(handle, "qh_zero", &library->zero) &&
           impi_library_function(handle, "qh_new_qhull", &library->new_qhull) &&
           impi_library_function(handle, "qh_freeqhull", &library->freeqhull) &&
           impi_library_function(handle, "qh_memfreeshort", &library->memfreeshort);
}

bool impi_qhull_is_there(void)
{
    Library library;
    return open_library(&library);
}

// The lower side of the hull of the lifted sites.
static bool is_simplex(const facetT *facet)
{
    return !facet->upperdelaunay && facet->simplicial;
}

static uint32_t site_of(const qhT *qh, const facetT *facet, int corner)
{
    const vertexT *vertex = facet->vertices->e[corner].p;
    return (uint32_t)((vertex->point - qh->first_point) / qh->hull_dim);
}

static uint32_t neighbour_of(const facetT *facet, int corner)
{
    const facetT *neighbour = facet->neighbors->e[corner].p;
    return neighbour && is_simplex(neighbour) ? neighbour->visitid : IMPI_NO_SIMPLEX;
}

// The list of facets ends with one that is empty.
static bool copy_simplices(const imp_Allocator *allocator, const qhT *qh, impi_Simplices *simplices)
{
    size_t count = 0;
    for (facetT *facet = qh->facet_list; facet && facet->next; facet = facet->next)
        if (is_simplex(facet))
            facet->visitid = (unsigned)count++;
    if (!impi_array_reserve(allocator, simplices, sizeof *simplices->data, count))
        return false;
    simplices->count = 0;
    for (const facetT *facet = qh->facet_list; facet && facet->next; facet = facet->next) {
        if (!is_simplex(facet))
            continue;
        impi_Simplex *simplex = &simplices->data[simplices->count++];
        for (int i = 0; i < DIMENSION + 1; ++i) {
            simplex->sites[i] = site_of(qh, facet, i);
            simplex->neighbours[i] = neighbour_of(facet, i);
        }
    }
    return true;
}

// What qhull says when it gives up: a line of many.
typedef struct Complaint {
    char text[256];
    int code; // of qhull; 0: none
} Complaint;

static imp_Status try_qhull(imp_Context *context, const Library *library, const char *options, double *sites,
                            size_t count, impi_Simplices *simplices, Complaint *complaint)
{
    char command[32];
    qhT qh;
    int long_count, long_bytes;
    FILE *errors = fmemopen(complaint->text, sizeof complaint->text, "w");
    if (!errors)
        return impi_fail_out_of_memory(context);
    (void)snprintf(command, sizeof command, "qhull d %s", options);
    library->zero(&qh, errors);
    complaint->code = library->new_qhull(&qh, DIMENSION, (int)count, sites, False, command, errors, errors);
    bool has_memory =
        complaint->code ? complaint->code != qh_ERRmem : copy_simplices(&context->allocator, &qh, simplices);
    library->freeqhull(&qh, !qh_ALL);
    library->memfreeshort(&qh, &long_count, &long_bytes);
    (void)fclose(errors);
    return has_memory ? IMP_STATUS_OK : impi_fail_out_of_memory(context);
}

imp_Status impi_qhull_delaunay(imp_Context *context, double *sites, size_t count, impi_Simplices *simplices)
{
    // Sites are moved by some rounding errors, so that no five of them are on a sphere: many that are, as on
    // plane faces, would take qhull minutes. Where that fails, facets of more sites are cut into simplices.
    static const char *const options[] = {"QJ Qbb", "Qt Qbb Qc"};
    Library library;
    Complaint complaint = {.code = 1};
    imp_Status status = IMP_STATUS_OK;
    if (!open_library(&library))
        return impi_fail(context, IMP_STATUS_UNSUPPORTED, IMP_NOWHERE,
                         "the medial method needs qhull: " PACKAGE_HINT);
    for (size_t i = 0; i < sizeof options / sizeof *options && complaint.code && status == IMP_STATUS_OK; ++i)
        status = try_qhull(context, &library, options[i], sites, count, simplices, &complaint);
    complaint.text[sizeof complaint.text - 1] = 0;
    complaint.text[strcspn(complaint.text, "\n")] = 0;
    if (status == IMP_STATUS_OK && complaint.code)
        status = impi_fail(context, IMP_STATUS_BAD_SHAPE, IMP_NOWHERE, "qhull gave up: %s", complaint.text);
    return status;
}

#else

bool impi_qhull_is_there(void)
{
    return false;
}

imp_Status impi_qhull_delaunay(imp_Context *context, double *sites, size_t count, impi_Simplices *simplices)
{
    (void)sites;
    (void)count;
    (void)simplices;
    return impi_fail(
        context, IMP_STATUS_UNSUPPORTED, IMP_NOWHERE,
        "the medial method needs qhull: install the package libqhull-dev and build impinge again");
}

#endif
