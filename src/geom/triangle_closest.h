#ifndef STUB_TC
#define STUB_TC
#include <impinge/distance.h>
void impi_triangles_closest(const imp_Triangle *a, const imp_Triangle *b, imp_Distance *result);
#endif
