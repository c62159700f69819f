// A glTF file as one mesh: the meshes of its scene, each placed by its node at rest. Animations, morph
// targets and skins do not count here; scenes in motion are read by gltf_scene.

#include "io/affine.h"
#include "io/gltf_triangles.h"
#include "io/readers.h"

#include <math.h>

static imp_Transform placement(const impi_GltfNode *node)
{
    if (node->has_matrix)
        return node->matrix;
    imp_Transform turn, stretch = impi_affine_identity;
    impi_pose_transform(&(imp_Pose){node->translation, node->rotation}, &turn);
    stretch.rows[0][0] = node->scale.x;
    stretch.rows[1][1] = node->scale.y;
    stretch.rows[2][2] = node->scale.z;
    return impi_affine_multiply(&turn, &stretch);
}

static imp_Status add_node(const impi_Gltf *gltf, const impi_GltfNode *node, const imp_Transform *world,
                           impi_MeshBuilder *builder)
{
    size_t first = builder->vertices.count;
    imp_Status status = impi_gltf_add_triangles(gltf, &gltf->meshes[node->mesh], builder);
    for (size_t i = first; i < builder->vertices.count && status == IMP_STATUS_OK; ++i) {
        imp_Vec3 *vertex = &builder->vertices.data[i];
        *vertex = impi_transform_apply(world, *vertex);
        if (!isfinite(vertex->x) || !isfinite(vertex->y) || !isfinite(vertex->z))
            status = impi_gltf_fail_transforms(gltf);
    }
    return status;
}

static imp_Status add_nodes(impi_Gltf *gltf, impi_MeshBuilder *builder)
{
    imp_Transform *worlds = impi_arena_allocate_array(&gltf->arena, gltf->scene_node_count, sizeof *worlds);
    if (!worlds)
        return impi_fail_out_of_memory(gltf->context);
    imp_Status status = IMP_STATUS_OK;
    for (uint32_t i = 0; i < gltf->scene_node_count && status == IMP_STATUS_OK; ++i) {
        const impi_GltfNode *node = &gltf->nodes[gltf->scene_nodes[i]];
        worlds[i] = placement(node);
        if (node->parent != IMPI_GLTF_NONE)
            worlds[i] = impi_affine_multiply(&worlds[gltf->nodes[node->parent].scene_index], &worlds[i]);
        if (node->mesh != IMPI_GLTF_NONE)
            status = add_node(gltf, node, &worlds[i], builder);
    }
    return status;
}

imp_Status impi_read_gltf(impi_MeshBuilder *builder)
{
    impi_Gltf gltf;
    imp_Status status = impi_gltf_open(builder->context, builder->path, builder->file_name, &gltf);
    if (status != IMP_STATUS_OK)
        return status;
    status = add_nodes(&gltf, builder);
    impi_gltf_close(&gltf);
    return status;
}
