// Meshes in formats that are not ours to read: COLLADA, FBX, 3DS, ...
//
// No post-processing is asked for: faces come in the order of the file, none merged or dropped. Polygons are
// fanned here as for our own formats. Where the scene is a tree of nodes, they are visited from the root
// down, first to last, and each mesh is placed once per node that uses it. Such files are as safe as assimp
// is. Its C interface has no way to end it: the watch is asked whenever it reads from a file, and before and
// behind it.

#include "io/affine.h"
#include "io/assimp_library.h"
#include "io/format_guess.h"
#include "io/readers.h"

static imp_Status fail(const impi_MeshBuilder *builder, imp_Status status, const char *what)
{
    impi_Place place = IMPI_NO_PLACE;
    place.file = builder->file_name;
    return impi_fail_at(builder->context, status, place, "%s", what);
}

#ifdef IMPINGE_ASSIMP_SONAME

#include "io/assimp_files.h"

#include <assimp/scene.h>
#include <math.h>
#include <string.h>

// Deeper trees of nodes are refused, because they are visited recursively.
#define MAX_DEPTH 1001
// Vertices or faces that are taken over before the watch is asked.
#define WATCH_STEP 4096

static imp_Status ask_watch(const impi_MeshBuilder *builder)
{
    imp_Context *context = builder->context;
    return impi_watch_goes_on(&context->watch) ? IMP_STATUS_OK : impi_watch_status(context);
}

static imp_Transform to_transform(const C_STRUCT aiMatrix4x4 *m)
{
    return (imp_Transform){{{(double)m->a1, (double)m->a2, (double)m->a3},
                            {(double)m->b1, (double)m->b2, (double)m->b3},
                            {(double)m->c1, (double)m->c2, (double)m->c3}},
                           {(double)m->a4, (double)m->b4, (double)m->c4}};
}

// Lines and points are left out.
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

static imp_Status add_mesh(impi_MeshBuilder *builder, const C_STRUCT aiMesh *mesh,
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
        if (status == IMP_STATUS_OK && i % WATCH_STEP == 0)
            status = ask_watch(builder);
        if (status != IMP_STATUS_OK)
            return status;
    }
    for (unsigned i = 0; i < mesh->mNumFaces; ++i) {
        imp_Status status = add_face(builder, mesh, i, first_vertex);
        if (status == IMP_STATUS_OK && i % WATCH_STEP == 0)
            status = ask_watch(builder);
        if (status != IMP_STATUS_OK)
            return status;
    }
    return IMP_STATUS_OK;
}

static imp_Status add_node(impi_MeshBuilder *builder, const C_STRUCT aiScene *scene,
                           const C_STRUCT aiNode *node, const imp_Transform *parent, int depth)
{
    if (depth > MAX_DEPTH)
        return fail(builder, IMP_STATUS_UNSUPPORTED, "its nodes are nested too deeply");
    imp_Transform local = to_transform(&node->mTransformation);
    imp_Transform placement = impi_affine_multiply(parent, &local);
    imp_Status status = IMP_STATUS_OK;
    for (unsigned i = 0; i < node->mNumMeshes && status == IMP_STATUS_OK; ++i)
        status = add_mesh(builder, scene->mMeshes[node->mMeshes[i]], &placement);
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

// Why nothing was made of the file. An exception that nobody in assimp expected is its error as it stands.
static imp_Status fail_import(const impi_MeshBuilder *builder, const char *reason)
{
    if (strstr(reason, "bad_alloc") || strstr(reason, "bad_array_new_length"))
        return impi_fail_out_of_memory(builder->context);
    // What it says need not be so: some of its readers take a lack of memory for a mistake in the file.
    impi_Place place = IMPI_NO_PLACE;
    place.file = builder->file_name;
    return impi_fail_at(builder->context, IMP_STATUS_BAD_FILE, place, "assimp can't read it: %s", reason);
}

static imp_Status import(impi_MeshBuilder *builder, const impi_AssimpLibrary *library)
{
    imp_Context *context = builder->context;
    impi_AssimpFiles files;
    impi_assimp_files_init(&files, context, builder->path);
    const C_STRUCT aiScene *scene = library->import_file_ex(builder->path, 0, &files.io);
    imp_Status status = files.status;
    if (status == IMP_STATUS_OK && !impi_watch_goes_on(&context->watch))
        status = impi_watch_status(context);
    if (status == IMP_STATUS_OK)
        status = scene ? add_scene(builder, scene) : fail_import(builder, library->get_error_string());
    library->release_import(scene);
    return status;
}

#else

static imp_Status import(impi_MeshBuilder *builder, const impi_AssimpLibrary *library)
{
    (void)builder;
    (void)library;
    return IMP_STATUS_UNSUPPORTED;
}

#endif

imp_Status impi_read_assimp(impi_MeshBuilder *builder)
{
    // A file that can't be read is told apart from a format that can't.
    impi_FileSource source;
    imp_Status status = impi_file_source_open(builder->context, builder->path, builder->file_name, &source);
    if (status != IMP_STATUS_OK)
        return status;
    impi_AssimpLibrary library;
    status = impi_assimp_library_demand(builder->context, builder->path, builder->file_name, &library);
    if (status == IMP_STATUS_OK && !source.has_size)
        status =
            fail(builder, IMP_STATUS_UNSUPPORTED, "assimp reads regular files only, which are not empty");
    else if (status == IMP_STATUS_OK)
        status = impi_explain_source_refusal(&source, IMP_FORMAT_BY_NAME, import(builder, &library));
    impi_file_source_close(&source);
    return status;
}
