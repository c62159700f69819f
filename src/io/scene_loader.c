#include "io/scene_loader.h"

#include "io/file_format.h"
#include "io/gltf_scene.h"

static imp_Status refuse(imp_Context *context, const char *path)
{
    // A file that can't be read is told apart from a format that can't.
    impi_FileSource source;
    imp_Status status = impi_file_source_open(context, path, &source);
    if (status != IMP_STATUS_OK)
        return status;
    impi_file_source_close(&source);
    impi_Place place = IMPI_NO_PLACE;
    place.file = path;
    return impi_fail_at(context, IMP_STATUS_UNSUPPORTED, place,
                        "scenes are read from glTF files only, whose names end in .gltf or .glb");
}

imp_Status impi_scene_load(imp_Context *context, const char *path, imp_Scene **scene)
{
    impi_Gltf gltf;
    if (!impi_file_is_gltf(path))
        return refuse(context, path);
    imp_Status status = impi_gltf_open(context, path, &gltf);
    if (status != IMP_STATUS_OK)
        return status;
    status = impi_gltf_make_scene(&gltf, scene);
    impi_gltf_close(&gltf);
    return status;
}
