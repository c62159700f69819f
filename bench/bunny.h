/// The mesh that several areas measure with.
#ifndef IMPINGE_BENCH_BUNNY_H
#define IMPINGE_BENCH_BUNNY_H

#include <impinge/mesh.h>

/// From the data beside the repository, or from IMPINGE_DATA. Null, with a remark, where it is not there.
imp_Mesh *bench_load_bunny(imp_Context *context);

/// Another one by its name, without the extension.
imp_Mesh *bench_load_mesh(imp_Context *context, const char *name);

#endif
