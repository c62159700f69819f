#include "bunny.h"

#include <impinge/io.h>

#include <stdio.h>
#include <stdlib.h>

imp_Mesh *bench_load_bunny(imp_Context *context)
{
    return bench_load_mesh(context, "stanford-bunny");
}

imp_Mesh *bench_load_mesh(imp_Context *context, const char *name)
{
    const char *dir = getenv("IMPINGE_DATA");
    char path[1024];
    imp_Mesh *mesh;
    snprintf(path, sizeof path, "%s/meshes/%s.obj", dir ? dir : BENCH_DATA_DIR, name);
    if (imp_mesh_load(context, path, &mesh) == IMP_STATUS_OK)
        return mesh;
    fprintf(stderr, "impinge-bench: scenes with %s are left out: %s\n", name,
            imp_context_get_error(context)->message);
    return NULL;
}
