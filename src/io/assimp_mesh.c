#include "io/mesh_builder.h"

#ifdef IMPINGE_ASSIMP_SONAME

#include "io/assimp_mesh.h"

#include <math.h>

imp_Status impi_assimp_fail(imp_Context *context, const char *file_name, imp_Status status, const char *what)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = file_name;
    return impi_fail_at(context, status, place, "%s", what);
}

imp_Transform impi_assimp_matrix(const C_STRUCT aiMatrix4x4 *m)
{
    return (imp_Transform){{{(double)m->a1, (double)m->a2, (double)m->a3},
                            {(double)m->b1, (double)m->b2, (double)m->b3},
                            {(double)m->c1, (double)m->c2, (double)m->c3}},
                           {(double)m->a4, (double)m->b4, (double)m->c4}};
}

static imp_Status fail(const impi_MeshBuilder *builder, imp_Status status, const char *what)
{
    return impi_assimp_fail(builder->context, builder->file_name, status, what);
}

static imp_Status add_face(impi_MeshBuilder *builder, const C_STRUCT aiMesh *mesh, unsigned face,
                           size_t first_vertex)
{
    const C_STRUCT aiFace *corners = &mesh->mFaces[face];
    if (corners->mNumIndices < 3)
        return IMP_STATUS_OK;
    for (unsigned i = 0; i < corners->mNumIndices; ++i) {
        if (corners->mIndices[i] >= mesh->mNumVertices)
            return fail(builder, IMP_STATUS_BAD_FILE, "a vertex index is out of range");
        imp_Status status =
            impi_mesh_builder_add_corner(builder, (uint32_t)(first_vertex + corners->mIndices[i]));
        if (status != IMP_STATUS_OK)
            return status;
    }
    return impi_mesh_builder_end_face(builder, builder->indices.count / 3);
}

imp_Status impi_assimp_add_mesh(impi_MeshBuilder *builder, const C_STRUCT aiMesh *mesh,
                                const imp_Transform *placement)
{
    size_t first_vertex = builder->vertices.count;
    if (first_vertex + mesh->mNumVertices > (size_t)IMPI_MAX_VERTEX_INDEX)
        return fail(builder, IMP_STATUS_TOO_LARGE, "the file has more vertices than 32 bits can count");
    for (unsigned i = 0; i < mesh->mNumVertices; ++i) {
        const C_STRUCT aiVector3D *point = &mesh->mVertices[i];
        imp_Vec3 vertex =
            impi_transform_apply(placement, (imp_Vec3){(double)point->x, (double)point->y, (double)point->z});
        if (!isfinite(vertex.x) || !isfinite(vertex.y) || !isfinite(vertex.z))
            return fail(builder, IMP_STATUS_BAD_FILE, "a coordinate is not finite");
        imp_Status status = impi_mesh_builder_add_vertex(builder, vertex);
        if (status != IMP_STATUS_OK)
            return status;
    }
    for (unsigned i = 0; i < mesh->mNumFaces; ++i) {
        imp_Status status = add_face(builder, mesh, i, first_vertex);
        if (status != IMP_STATUS_OK)
            return status;
    }
    return IMP_STATUS_OK;
}

#endif
