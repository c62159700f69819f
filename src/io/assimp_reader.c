// Everything that is not ours to read: glTF, COLLADA, FBX, 3DS, ...
//
// Polygons are fanned here as for our own formats. Where the scene is a tree of nodes, they are visited from
// the root down, first to last, and each mesh is placed once per node that uses it.

#include "io/assimp_reader.h"

#include "io/assimp_import.h"

#ifdef IMPINGE_ASSIMP_SONAME

#include "io/assimp_mesh.h"

static imp_Status add_node(impi_MeshBuilder *builder, const C_STRUCT aiScene *scene,
                           const C_STRUCT aiNode *node, const imp_Transform *parent, int depth)
{
    if (depth > IMPI_MAX_ASSIMP_DEPTH)
        return impi_assimp_fail(builder->context, builder->file_name, IMP_STATUS_UNSUPPORTED,
                                "its nodes are nested too deeply");
    imp_Transform local = impi_assimp_matrix(&node->mTransformation);
    imp_Transform placement = impi_affine_multiply(parent, &local);
    imp_Status status = IMP_STATUS_OK;
    for (unsigned i = 0; i < node->mNumMeshes && status == IMP_STATUS_OK; ++i)
        status = impi_assimp_add_mesh(builder, scene->mMeshes[node->mMeshes[i]], &placement);
    for (unsigned i = 0; i < node->mNumChildren && status == IMP_STATUS_OK; ++i)
        status = add_node(builder, scene, node->mChildren[i], &placement, depth + 1);
    return status;
}

static imp_Status add_scene(impi_MeshBuilder *builder, const C_STRUCT aiScene *scene)
{
    builder->place_name = "face";
    return scene->mRootNode ? add_node(builder, scene, scene->mRootNode, &impi_affine_identity, 0)
                            : IMP_STATUS_OK;
}

#else

static imp_Status add_scene(impi_MeshBuilder *builder, const struct aiScene *scene)
{
    (void)builder;
    (void)scene;
    return IMP_STATUS_UNSUPPORTED;
}

#endif

imp_Status impi_read_assimp(impi_MeshBuilder *builder)
{
    impi_AssimpImport import;
    imp_Status status = impi_assimp_import(builder->context, builder->file_name, &import);
    if (status != IMP_STATUS_OK)
        return status;
    status = add_scene(builder, import.scene);
    impi_assimp_release(&import);
    return status;
}
