#include "cgal_triangles.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/intersections.h>

typedef CGAL::Exact_predicates_inexact_constructions_kernel Kernel;

static Kernel::Triangle_3 convert(const imp_Triangle &t)
{
    return Kernel::Triangle_3(Kernel::Point_3(t.v[0].x, t.v[0].y, t.v[0].z),
                              Kernel::Point_3(t.v[1].x, t.v[1].y, t.v[1].z),
                              Kernel::Point_3(t.v[2].x, t.v[2].y, t.v[2].z));
}

void cgal_triangles_touch(const imp_Triangle *a, const imp_Triangle *b, size_t count, bool *touch)
{
    for (size_t i = 0; i < count; ++i)
        touch[i] = CGAL::do_intersect(convert(a[i]), convert(b[i]));
}
