#include "io/gltf_nodes.h"

#include <math.h>

static void read_rotation(impi_GltfReader *reader, const impi_JsonValue *object, impi_GltfNode *node)
{
    double q[4] = {0, 0, 0, 1};
    impi_gltf_numbers(reader, object, "rotation", 4, q);
    double norm = hypot(hypot(q[0], q[1]), hypot(q[2], q[3]));
    if (!(fabs(norm - 1) <= IMPI_GLTF_UNIT_TOLERANCE)) {
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object, "its rotation is no quaternion of unit length");
        return;
    }
    node->rotation = (imp_Quat){q[3] / norm, q[0] / norm, q[1] / norm, q[2] / norm};
}

static void read_placement(impi_GltfReader *reader, const impi_JsonValue *object, impi_GltfNode *node)
{
    double m[16], t[3] = {0, 0, 0}, s[3] = {1, 1, 1};
    node->has_matrix = impi_gltf_numbers(reader, object, "matrix", 16, m);
    for (int column = 0; node->has_matrix && column < 3; ++column)
        for (int row = 0; row < 3; ++row)
            node->matrix.rows[row][column] = m[4 * column + row];
    if (node->has_matrix)
        node->matrix.translation = (imp_Vec3){m[12], m[13], m[14]};
    if (node->has_matrix && (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1))
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, object, "the last row of its matrix is not 0 0 0 1");
    impi_gltf_numbers(reader, object, "translation", 3, t);
    impi_gltf_numbers(reader, object, "scale", 3, s);
    node->translation = (imp_Vec3){t[0], t[1], t[2]};
    node->scale = (imp_Vec3){s[0], s[1], s[2]};
    read_rotation(reader, object, node);
}

static void read_node(impi_GltfReader *reader, const impi_JsonValue *object)
{
    impi_Gltf *gltf = reader->gltf;
    impi_GltfNode *node = &gltf->nodes[reader->number];
    uint32_t skin_count;
    impi_gltf_array(reader, gltf->json.values.data, "skins", &skin_count);
    const impi_JsonValue *name = impi_json_member(&gltf->json, object, "name");
    node->name = name && name->type == IMPI_JSON_STRING && name->length > 0 ? name : NULL;
    node->parent = node->scene_index = IMPI_GLTF_NONE;
    node->mesh = impi_gltf_index(reader, object, "mesh", "mesh", gltf->mesh_count);
    node->skin = impi_gltf_index(reader, object, "skin", "skin", skin_count);
    node->children =
        impi_gltf_indices(reader, object, "children", "node", gltf->node_count, &node->child_count);
    read_placement(reader, object, node);
    uint32_t target_count = node->mesh == IMPI_GLTF_NONE ? 0 : gltf->meshes[node->mesh].target_count;
    double *weights = impi_gltf_allocate(reader, target_count, sizeof *weights);
    if (weights && impi_gltf_numbers(reader, object, "weights", target_count, weights))
        node->weights = weights;
}

static void set_parents(impi_GltfReader *reader)
{
    impi_Gltf *gltf = reader->gltf;
    for (uint32_t i = 0; i < gltf->node_count; ++i)
        for (uint32_t c = 0; c < gltf->nodes[i].child_count; ++c) {
            impi_GltfNode *child = &gltf->nodes[gltf->nodes[i].children[c]];
            if (child->parent != IMPI_GLTF_NONE)
                impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, NULL,
                               "node %u is a child of node %u and of node %u",
                               (unsigned)gltf->nodes[i].children[c], (unsigned)child->parent, (unsigned)i);
            child->parent = i;
        }
}

// List a tree from its root down, without recursion: a node with one parent is met once. `next_child` is zero
// for all of its nodes. Stops when it is too deep. Returns how many nodes were listed.
static uint32_t list_tree(impi_GltfReader *reader, uint32_t root, uint32_t *next_child, uint32_t *list)
{
    const impi_Gltf *gltf = reader->gltf;
    uint32_t node = root, depth = 0, count = 0;
    list[count++] = root;
    while (node != IMPI_GLTF_NONE) {
        if (next_child[node] == gltf->nodes[node].child_count) {
            if (node == root)
                break;
            node = gltf->nodes[node].parent;
            --depth;
            continue;
        }
        node = gltf->nodes[node].children[next_child[node]++];
        list[count++] = node;
        if (++depth > IMPI_MAX_NODE_DEPTH) {
            impi_gltf_fail(reader, IMP_STATUS_UNSUPPORTED, NULL, "its nodes are nested too deeply");
            break;
        }
    }
    return count;
}

// Every node hangs below one without a parent, or it is part of a circle.
static void check_circles(impi_GltfReader *reader)
{
    impi_Gltf *gltf = reader->gltf;
    uint32_t *next_child = impi_gltf_allocate(reader, gltf->node_count, sizeof *next_child);
    uint32_t *list = impi_gltf_allocate(reader, gltf->node_count, sizeof *list);
    uint32_t count = 0;
    for (uint32_t i = 0; i < gltf->node_count && reader->status == IMP_STATUS_OK; ++i)
        if (gltf->nodes[i].parent == IMPI_GLTF_NONE)
            count += list_tree(reader, i, next_child, list + count);
    if (count < gltf->node_count)
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, NULL, "its nodes form a circle");
}

// The roots of the scene that the file names, or of its first; where there is none, all nodes without a
// parent.
static uint32_t *read_roots(impi_GltfReader *reader, uint32_t *root_count)
{
    impi_Gltf *gltf = reader->gltf;
    const impi_JsonValue *top = gltf->json.values.data;
    const impi_JsonValue *scenes = impi_gltf_array(reader, top, "scenes", &gltf->scene_count);
    uint32_t scene = impi_gltf_index(reader, top, "scene", "scene", gltf->scene_count);
    *root_count = 0;
    if (reader->status != IMP_STATUS_OK)
        return NULL;
    if (gltf->scene_count > 0) {
        const impi_JsonValue *item = scenes + 1;
        for (uint32_t i = 0; scene != IMPI_GLTF_NONE && i < scene; ++i)
            item = impi_json_next(&gltf->json, item);
        return impi_gltf_indices(reader, item, "nodes", "node", gltf->node_count, root_count);
    }
    uint32_t *roots = impi_gltf_allocate(reader, gltf->node_count, sizeof *roots);
    for (uint32_t i = 0; roots && i < gltf->node_count; ++i)
        if (gltf->nodes[i].parent == IMPI_GLTF_NONE)
            roots[(*root_count)++] = i;
    return roots;
}

static void add_root(impi_GltfReader *reader, uint32_t root, uint32_t *next_child)
{
    impi_Gltf *gltf = reader->gltf;
    const impi_GltfNode *node = &gltf->nodes[root];
    if (node->parent != IMPI_GLTF_NONE) {
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, NULL,
                       "node %u is a root of the scene and a child of node %u", (unsigned)root,
                       (unsigned)node->parent);
        return;
    }
    if (node->scene_index != IMPI_GLTF_NONE) {
        impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, NULL, "node %u stands twice among the roots of the scene",
                       (unsigned)root);
        return;
    }
    uint32_t first = gltf->scene_node_count;
    gltf->scene_node_count += list_tree(reader, root, next_child, gltf->scene_nodes + first);
    for (uint32_t i = first; i < gltf->scene_node_count; ++i)
        gltf->nodes[gltf->scene_nodes[i]].scene_index = i;
}

static void read_scene(impi_GltfReader *reader)
{
    impi_Gltf *gltf = reader->gltf;
    uint32_t root_count;
    const uint32_t *roots = read_roots(reader, &root_count);
    uint32_t *next_child = impi_gltf_allocate(reader, gltf->node_count, sizeof *next_child);
    gltf->scene_nodes = impi_gltf_allocate(reader, gltf->node_count, sizeof *gltf->scene_nodes);
    for (uint32_t i = 0; i < root_count && reader->status == IMP_STATUS_OK; ++i)
        add_root(reader, roots[i], next_child);
}

void impi_gltf_read_nodes(impi_GltfReader *reader)
{
    impi_Gltf *gltf = reader->gltf;
    gltf->nodes = impi_gltf_make_items(reader, "nodes", sizeof *gltf->nodes, &gltf->node_count);
    impi_gltf_read_items(reader, "nodes", "node", read_node);
    if (reader->status == IMP_STATUS_OK)
        set_parents(reader);
    if (reader->status == IMP_STATUS_OK)
        check_circles(reader);
    if (reader->status == IMP_STATUS_OK)
        read_scene(reader);
}

void impi_gltf_check_skinning(impi_GltfReader *reader)
{
    const impi_Gltf *gltf = reader->gltf;
    reader->what = "node";
    for (uint32_t i = 0; i < gltf->node_count && reader->status == IMP_STATUS_OK; ++i) {
        const impi_GltfNode *node = &gltf->nodes[i];
        if (node->scene_index == IMPI_GLTF_NONE || node->skin == IMPI_GLTF_NONE ||
            node->mesh == IMPI_GLTF_NONE)
            continue;
        reader->number = i;
        const impi_GltfMesh *mesh = &gltf->meshes[node->mesh];
        const impi_GltfSkin *skin = &gltf->skins[node->skin];
        for (uint32_t p = 0; p < mesh->primitive_count; ++p)
            if (mesh->primitives[p].joint_set_count == 0)
                impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, NULL, "it has a skin, but its mesh %u no joints",
                               (unsigned)node->mesh);
        for (uint32_t j = 0; j < skin->joint_count; ++j)
            if (gltf->nodes[skin->joints[j]].scene_index == IMPI_GLTF_NONE)
                impi_gltf_fail(reader, IMP_STATUS_BAD_FILE, NULL, "its joint, node %u, is not in the scene",
                               (unsigned)skin->joints[j]);
    }
    reader->what = NULL;
}
