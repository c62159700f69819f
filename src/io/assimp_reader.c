// Everything that is not ours to read: glTF, COLLADA, FBX, 3DS, ...
//
// No post-processing is asked for: faces come in the order of the file, none merged or dropped, and polygons
// are fanned here as for our own formats. Where the scene is a tree of nodes, they are visited from the root
// down, first to last, and each mesh is placed once per node that uses it. Lines and points are left out.

#include "io/assimp_reader.h"

#include "io/assimp_library.h"
#include "io/file_format.h"

#ifdef IMPINGE_ASSIMP_SONAME

#include <assimp/mesh.h>
#include <assimp/scene.h>

#include <math.h>

#define PACKAGE_HINT "install the package libassimp5"

// Deeper trees are refused, because nodes are visited recursively.
#define MAX_NODE_DEPTH 1000

typedef struct Matrix {
    double rows[3][4];
} Matrix;

static Matrix multiply(const Matrix *a, const C_STRUCT aiMatrix4x4 *b)
{
    const double columns[4][3] = {{(double)b->a1, (double)b->b1, (double)b->c1},
                                  {(double)b->a2, (double)b->b2, (double)b->c2},
                                  {(double)b->a3, (double)b->b3, (double)b->c3},
                                  {(double)b->a4, (double)b->b4, (double)b->c4}};
    Matrix product;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 4; ++column)
            product.rows[row][column] = a->rows[row][0] * columns[column][0] +
                                        a->rows[row][1] * columns[column][1] +
                                        a->rows[row][2] * columns[column][2];
        product.rows[row][3] += a->rows[row][3];
    }
    return product;
}

static double apply_row(const double row[4], const C_STRUCT aiVector3D *point)
{
    return row[0] * (double)point->x + row[1] * (double)point->y + row[2] * (double)point->z + row[3];
}

static imp_Status fail(const impi_MeshBuilder *builder, imp_Status status, const char *what)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = builder->file_name;
    return impi_fail_at(builder->context, status, place, "%s", what);
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

static imp_Status add_mesh(impi_MeshBuilder *builder, const C_STRUCT aiMesh *mesh, const Matrix *placement)
{
    size_t first_vertex = builder->vertices.count;
    if (first_vertex + mesh->mNumVertices > (size_t)IMPI_MAX_VERTEX_INDEX)
        return fail(builder, IMP_STATUS_TOO_LARGE, "the file has more vertices than 32 bits can count");
    for (unsigned i = 0; i < mesh->mNumVertices; ++i) {
        const C_STRUCT aiVector3D *point = &mesh->mVertices[i];
        imp_Vec3 vertex = {apply_row(placement->rows[0], point), apply_row(placement->rows[1], point),
                           apply_row(placement->rows[2], point)};
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

static imp_Status add_node(impi_MeshBuilder *builder, const C_STRUCT aiScene *scene,
                           const C_STRUCT aiNode *node, const Matrix *parent, int depth)
{
    if (depth > MAX_NODE_DEPTH)
        return fail(builder, IMP_STATUS_UNSUPPORTED, "its nodes are nested too deeply");
    Matrix placement = multiply(parent, &node->mTransformation);
    imp_Status status = IMP_STATUS_OK;
    for (unsigned i = 0; i < node->mNumMeshes && status == IMP_STATUS_OK; ++i)
        status = add_mesh(builder, scene->mMeshes[node->mMeshes[i]], &placement);
    for (unsigned i = 0; i < node->mNumChildren && status == IMP_STATUS_OK; ++i)
        status = add_node(builder, scene, node->mChildren[i], &placement, depth + 1);
    return status;
}

static imp_Status import(impi_MeshBuilder *builder, const impi_AssimpLibrary *library)
{
    const C_STRUCT aiScene *scene = library->import_file(builder->file_name, 0);
    if (!scene)
        return fail(builder, IMP_STATUS_BAD_FILE, library->get_error_string());
    static const Matrix identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    imp_Status status = IMP_STATUS_OK;
    builder->place_name = "face";
    if (scene->mRootNode)
        status = add_node(builder, scene, scene->mRootNode, &identity, 0);
    library->release_import(scene);
    return status;
}

#else

#define PACKAGE_HINT "install the package libassimp-dev and build impinge again"

static imp_Status import(impi_MeshBuilder *builder, const impi_AssimpLibrary *library)
{
    (void)builder;
    (void)library;
    return IMP_STATUS_UNSUPPORTED;
}

#endif

imp_Status impi_read_assimp(impi_MeshBuilder *builder)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = builder->file_name;
    const char *extension = impi_file_extension(builder->file_name);
    impi_AssimpLibrary library;
    if (!impi_assimp_library_open(&library))
        return impi_fail_at(builder->context, IMP_STATUS_UNSUPPORTED, place,
                            "only OBJ, STL, PLY and OFF can be read without assimp: " PACKAGE_HINT);
    // assimp wants the point, and takes the empty extension for any.
    if (!*extension || !library.is_extension_supported(extension - 1))
        return impi_fail_at(builder->context, IMP_STATUS_UNSUPPORTED, place,
                            "the extension '%s' stands for no known format", extension);
    return import(builder, &library);
}
