/// CGAL's exact triangle test, where its Debian package is installed (IMPINGE_BENCH_CGAL).
#ifndef IMPINGE_BENCH_CGAL_TRIANGLES_H
#define IMPINGE_BENCH_CGAL_TRIANGLES_H

#include <impinge/math.h>

#ifdef __cplusplus
extern "C"
#endif
    void
    cgal_triangles_touch(const imp_Triangle *a, const imp_Triangle *b, size_t count, bool *touch);

#endif
