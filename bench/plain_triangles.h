/// The usual triangle test in plain double arithmetic, for comparison only: fast, and wrong near contact.
#ifndef IMPINGE_BENCH_PLAIN_TRIANGLES_H
#define IMPINGE_BENCH_PLAIN_TRIANGLES_H

#include <impinge/math.h>

bool plain_triangles_touch(const imp_Triangle *a, const imp_Triangle *b);

#endif
