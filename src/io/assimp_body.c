#include "io/gltf_meshes.h"

#ifdef IMPINGE_ASSIMP_SONAME

#include "io/assimp_body.h"

#include <math.h>
#include <string.h>

static imp_Status fail(const impi_AssimpReader *reader, imp_Status status, const char *what)
{
    return impi_assimp_fail(reader->context, reader->file_name, status, what);
}

static bool has_triangles(const C_STRUCT aiMesh *mesh)
{
    for (unsigned i = 0; i < mesh->mNumFaces; ++i)
        if (mesh->mFaces[i].mNumIndices >= 3)
            return true;
    return false;
}

bool impi_assimp_is_body(const impi_AssimpReader *reader, const C_STRUCT aiNode *node)
{
    for (unsigned i = 0; i < node->mNumMeshes; ++i)
        if (has_triangles(reader->source->mMeshes[node->mMeshes[i]]))
            return true;
    return false;
}

// The mesh of a node by number, or null when it has no triangles.
static const C_STRUCT aiMesh *get_mesh(const impi_AssimpReader *reader, const C_STRUCT aiNode *node,
                                       unsigned i)
{
    const C_STRUCT aiMesh *mesh = reader->source->mMeshes[node->mMeshes[i]];
    return has_triangles(mesh) ? mesh : NULL;
}

static imp_Status read_displacements(impi_AssimpReader *reader, const C_STRUCT aiMesh *mesh,
                                     size_t first_vertex, impi_BodyShape *shape)
{
    for (unsigned t = 0; t < mesh->mNumAnimMeshes; ++t) {
        const C_STRUCT aiAnimMesh *target = mesh->mAnimMeshes[t];
        shape->target_weights[t] = (double)target->mWeight;
        if (!isfinite(target->mWeight))
            return fail(reader, IMP_STATUS_BAD_FILE, "the weight of a morph target is not finite");
        if (!target->mVertices || target->mNumVertices != mesh->mNumVertices)
            continue;
        if (!shape->displacements[t])
            shape->displacements[t] = impi_assimp_allocate(reader, shape->vertex_count, sizeof(imp_Vec3));
        imp_Vec3 *out = shape->displacements[t];
        if (!out)
            return IMP_STATUS_OUT_OF_MEMORY;
        out += first_vertex;
        for (unsigned i = 0; i < mesh->mNumVertices; ++i) {
            const C_STRUCT aiVector3D *from = &mesh->mVertices[i], *to = &target->mVertices[i];
            out[i] = (imp_Vec3){(double)to->x - (double)from->x, (double)to->y - (double)from->y,
                                (double)to->z - (double)from->z};
            if (!isfinite(out[i].x) || !isfinite(out[i].y) || !isfinite(out[i].z))
                return fail(reader, IMP_STATUS_BAD_FILE, "a coordinate of a morph target is not finite");
        }
    }
    return IMP_STATUS_OK;
}

static imp_Status read_targets(impi_AssimpReader *reader, const C_STRUCT aiNode *node, impi_BodyShape *shape)
{
    const C_STRUCT aiMesh *mesh;
    for (unsigned i = 0; i < node->mNumMeshes; ++i)
        if ((mesh = get_mesh(reader, node, i)) && mesh->mNumAnimMeshes > shape->target_count)
            shape->target_count = mesh->mNumAnimMeshes;
    if (shape->target_count > IMPI_MAX_MORPH_TARGETS)
        return fail(reader, IMP_STATUS_UNSUPPORTED, "a mesh has too many morph targets");
    shape->displacements = impi_assimp_allocate(reader, shape->target_count, sizeof *shape->displacements);
    shape->target_weights = impi_assimp_allocate(reader, shape->target_count, sizeof *shape->target_weights);
    if (!shape->displacements || !shape->target_weights)
        return IMP_STATUS_OUT_OF_MEMORY;
    size_t first_vertex = 0;
    imp_Status status = IMP_STATUS_OK;
    for (unsigned i = 0; i < node->mNumMeshes && status == IMP_STATUS_OK; ++i)
        if ((mesh = get_mesh(reader, node, i))) {
            status = read_displacements(reader, mesh, first_vertex, shape);
            first_vertex += mesh->mNumVertices;
        }
    return status;
}

static imp_Status read_joint(impi_AssimpReader *reader, const C_STRUCT aiMesh *mesh,
                             const C_STRUCT aiBone *bone, size_t first_vertex, impi_SceneJoint *joint)
{
    joint->node = impi_assimp_find_node(reader, &bone->mName);
    joint->inverse_bind = impi_assimp_matrix(&bone->mOffsetMatrix);
    joint->vertices = impi_assimp_allocate(reader, bone->mNumWeights, sizeof *joint->vertices);
    joint->weights = impi_assimp_allocate(reader, bone->mNumWeights, sizeof *joint->weights);
    if (!joint->vertices || !joint->weights)
        return IMP_STATUS_OUT_OF_MEMORY;
    if (joint->node == IMPI_NO_NODE)
        return fail(reader, IMP_STATUS_BAD_FILE, "a joint is no node of the scene");
    for (unsigned i = 0; i < bone->mNumWeights; ++i) {
        const C_STRUCT aiVertexWeight *weight = &bone->mWeights[i];
        if (weight->mVertexId >= mesh->mNumVertices || !isfinite(weight->mWeight))
            return fail(reader, IMP_STATUS_BAD_FILE, "a joint has a wrong weight, or one for no vertex");
        joint->vertices[i] = (uint32_t)(first_vertex + weight->mVertexId);
        joint->weights[i] = (double)weight->mWeight;
    }
    joint->vertex_count = bone->mNumWeights;
    return IMP_STATUS_OK;
}

// Weights of a vertex add up to 1. Vertices that no joint holds follow the body's node, which becomes the
// last joint.
static imp_Status complete_weights(impi_AssimpReader *reader, uint32_t node, impi_BodyShape *shape)
{
    double *sums = impi_assimp_allocate(reader, shape->vertex_count, sizeof *sums);
    if (!sums)
        return IMP_STATUS_OUT_OF_MEMORY;
    size_t unheld_count = 0;
    for (size_t j = 0; j + 1 < shape->joint_count; ++j)
        for (size_t i = 0; i < shape->joints[j].vertex_count; ++i)
            sums[shape->joints[j].vertices[i]] += shape->joints[j].weights[i];
    for (size_t j = 0; j + 1 < shape->joint_count; ++j)
        for (size_t i = 0; i < shape->joints[j].vertex_count; ++i)
            if (sums[shape->joints[j].vertices[i]] > 0)
                shape->joints[j].weights[i] /= sums[shape->joints[j].vertices[i]];
    for (size_t i = 0; i < shape->vertex_count; ++i)
        unheld_count += !(sums[i] > 0);
    impi_SceneJoint *last = &shape->joints[shape->joint_count - 1];
    last->node = node;
    last->inverse_bind = impi_affine_identity;
    last->vertices = impi_assimp_allocate(reader, unheld_count, sizeof *last->vertices);
    last->weights = impi_assimp_allocate(reader, unheld_count, sizeof *last->weights);
    if (!last->vertices || !last->weights)
        return IMP_STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < shape->vertex_count; ++i)
        if (!(sums[i] > 0)) {
            last->vertices[last->vertex_count] = (uint32_t)i;
            last->weights[last->vertex_count++] = 1;
        }
    reader->unheld_count += unheld_count;
    if (unheld_count == 0)
        --shape->joint_count;
    return IMP_STATUS_OK;
}

static imp_Status read_joints(impi_AssimpReader *reader, const C_STRUCT aiNode *node, impi_SceneBody *body)
{
    impi_BodyShape *shape = &body->shape;
    const C_STRUCT aiMesh *mesh;
    size_t count = 0, first_vertex = 0;
    for (unsigned i = 0; i < node->mNumMeshes; ++i)
        if ((mesh = get_mesh(reader, node, i)))
            count += mesh->mNumBones;
    if (count == 0)
        return IMP_STATUS_OK;
    shape->joints = impi_assimp_allocate(reader, count + 1, sizeof *shape->joints);
    if (!shape->joints)
        return IMP_STATUS_OUT_OF_MEMORY;
    for (unsigned i = 0; i < node->mNumMeshes; ++i) {
        if (!(mesh = get_mesh(reader, node, i)))
            continue;
        for (unsigned b = 0; b < mesh->mNumBones; ++b) {
            imp_Status status =
                read_joint(reader, mesh, mesh->mBones[b], first_vertex, &shape->joints[shape->joint_count++]);
            if (status != IMP_STATUS_OK)
                return status;
        }
        first_vertex += mesh->mNumVertices;
    }
    ++shape->joint_count;
    return complete_weights(reader, body->node, shape);
}

// Seen from outside, a mirrored triangle turns the other way round; turned back, outside stays outside.
static void turn_triangles(impi_MeshBuilder *builder)
{
    for (size_t i = 0; i + 2 < builder->indices.count; i += 3) {
        uint32_t second = builder->indices.data[i + 1];
        builder->indices.data[i + 1] = builder->indices.data[i + 2];
        builder->indices.data[i + 2] = second;
    }
}

// Give the builder the vertices of time 0, and the body those of the file where it needs them later.
static imp_Status shape_vertices(impi_AssimpReader *reader, impi_MeshBuilder *builder, impi_SceneBody *body)
{
    impi_BodyShape *shape = &body->shape;
    imp_Pose pose;
    // Without joints, a vertex can be replaced where it stands.
    shape->vertices = builder->vertices.data;
    if (body->deforms || shape->joint_count > 0) {
        shape->vertices = impi_assimp_allocate(reader, shape->vertex_count, sizeof *shape->vertices);
        if (!shape->vertices)
            return IMP_STATUS_OUT_OF_MEMORY;
        memcpy(shape->vertices, builder->vertices.data, shape->vertex_count * sizeof *shape->vertices);
    }
    impi_scene_body_sample(reader->scene, body, 0, &pose, builder->vertices.data);
    if (!body->deforms)
        shape->vertices = NULL;
    if (impi_scene_body_is_mirrored(reader->scene, body))
        turn_triangles(builder);
    for (size_t i = 0; i < shape->vertex_count; ++i) {
        const imp_Vec3 *v = &builder->vertices.data[i];
        if (!isfinite(v->x) || !isfinite(v->y) || !isfinite(v->z))
            return fail(reader, IMP_STATUS_BAD_FILE, "its transforms make a coordinate that is not finite");
    }
    return IMP_STATUS_OK;
}

imp_Status impi_assimp_read_body(impi_AssimpReader *reader, impi_SceneBody *body)
{
    const C_STRUCT aiNode *node = reader->nodes[body->node].source;
    const C_STRUCT aiMesh *mesh;
    impi_MeshBuilder builder;
    imp_Status status = IMP_STATUS_OK;
    impi_mesh_builder_init(&builder, reader->context, reader->file_name);
    builder.place_name = "face";
    for (unsigned i = 0; i < node->mNumMeshes && status == IMP_STATUS_OK; ++i)
        if ((mesh = get_mesh(reader, node, i)))
            status = impi_assimp_add_mesh(&builder, mesh, &impi_affine_identity);
    body->shape.vertex_count = builder.vertices.count;
    if (status == IMP_STATUS_OK)
        status = read_targets(reader, node, &body->shape);
    if (status == IMP_STATUS_OK)
        status = read_joints(reader, node, body);
    if (status == IMP_STATUS_OK && !impi_scene_body_plan(reader->scene, body))
        status = impi_fail_out_of_memory(reader->context);
    if (status == IMP_STATUS_OK)
        status = shape_vertices(reader, &builder, body);
    if (status == IMP_STATUS_OK)
        status = impi_mesh_builder_finish(&builder, &body->mesh);
    impi_mesh_builder_free(&builder);
    return status;
}

#endif
