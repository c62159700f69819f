#include "io/scene_loader.h"

#include "io/gltf_scene.h"
#include "io/mesh_file.h"
#include "io/mesh_scene.h"

static imp_Status load_gltf(imp_Context *context, const impi_FileLoad *load, imp_Scene **scene)
{
    impi_Gltf gltf;
    imp_Status status = impi_gltf_open(context, load->path, load->name, &gltf);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_gltf_make_scene(&gltf, &load->conversion, scene);
    impi_gltf_close(&gltf);
    return status;
}

static imp_Status load_mesh(imp_Context *context, const impi_FileLoad *load, imp_Scene **scene)
{
    impi_MeshBuilder builder;
    impi_mesh_file_begin(context, load, &builder);
    imp_Status status = impi_mesh_file_read(load, &builder);
    if (status == IMP_STATUS_OK)
        status = impi_mesh_scene_make(&builder, load, scene);
    impi_mesh_builder_free(&builder);
    return status;
}

imp_Status impi_scene_load(imp_Context *context, const impi_FileLoad *load, imp_Scene **scene)
{
    return load->format == IMP_FORMAT_GLTF ? load_gltf(context, load, scene)
                                           : load_mesh(context, load, scene);
}
