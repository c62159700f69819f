#include "bunny.h"

#include <impinge/io.h>

#include <stdio.h>
#include <stdlib.h>

imp_Mesh *bench_load_bunny(imp_Context *context)
{
    const char *dir = getenv("IMPINGE_DATA");
    char path[1024];
    imp_Mesh *mesh;
    snprintf(path, sizeof path, "%s/meshes/stanford-bunny.obj", dir ? dir : BENCH_DATA_DIR);
    if (imp_mesh_load(context, path, &mesh) == IMP_STATUS_OK)
        return mesh;
    fprintf(stderr, "impinge-bench: bunny scenes are left out: %s\n",
            imp_context_get_error(context)->message);
    return NULL;
}
