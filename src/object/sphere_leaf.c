// Faces of the leaf with fewer of them are posed and kept, those of the other are posed one by one. What
// shares a point with the other leaf's faces inside of both balls has a box that meets the boxes of both
// balls.
//
// Cost: a pass over the faces of both, and over their pairs as boxes.
#include "object/sphere_leaf.h"

#include "geom/pose.h"
#include "geom/predicates.h"
#include "geom/scalar.h"
#include "geom/touch.h"
#include "geom/triangle_batch.h"
#include "geom/vector.h"
#include "shape/bounds.h"
#include "shape/sphere_tree.h"

#define MAX_KEPT 256 // the square root of IMPI_MAX_LEAF_PAIRS

// What rounding may move posed vertices and centers, per sum of the sizes of all coordinates involved.
#define POSE_ERROR 0x1p-45

typedef struct Scratch {
    imp_Triangle triangles[MAX_KEPT];
    imp_Box boxes[MAX_KEPT];
    size_t count;
    impi_TriangleBatch batch;
    imp_Triangle pending[2][IMPI_BATCH_LANES]; // pairs in the batch
    unsigned pending_count;
} Scratch;

size_t impi_leaf_scratch_size(void)
{
    return sizeof(Scratch);
}

// A leaf of a body.
typedef struct Leaf {
    const impi_Body *body;
    const impi_BlockFace *faces;
    size_t face_count;
    imp_Box ball; // the box around the ball, in the world
} Leaf;

static imp_Box box_of_ball(const impi_Body *body, uint32_t leaf)
{
    const imp_Sphere *sphere = &body->spheres->spheres[leaf];
    imp_Vec3 center = impi_transform_apply(&body->transform, sphere->center);
    double sizes = impi_longest(sphere->center) + body->largest_coordinate +
                   impi_longest(body->transform.translation) + sphere->radius;
    double reach = sphere->radius + impi_body_displacement(body) + POSE_ERROR * sizes;
    if (!impi_vec3_is_finite(&center)) // vertices are finite, centers need not be
        return (imp_Box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    return (imp_Box){{center.x - reach, center.y - reach, center.z - reach},
                     {center.x + reach, center.y + reach, center.z + reach}};
}

static Leaf leaf_of(const impi_Body *body, uint32_t leaf)
{
    const impi_SphereLanes *lanes = &body->spheres->lanes;
    const size_t *first = lanes->first + (leaf - lanes->first_leaf);
    return (Leaf){body, lanes->faces + first[0], first[1] - first[0], box_of_ball(body, leaf)};
}

bool impi_leaves_are_small(const impi_LeafPair *pair)
{
    const impi_SphereLanes *a = &pair->a->spheres->lanes, *b = &pair->b->spheres->lanes;
    const size_t *first_a = a->first + (pair->leaf_a - a->first_leaf);
    const size_t *first_b = b->first + (pair->leaf_b - b->first_leaf);
    return (first_a[1] - first_a[0]) * (first_b[1] - first_b[0]) <= IMPI_MAX_LEAF_PAIRS;
}

static imp_Triangle pose_face(const impi_Body *body, impi_BlockFace face)
{
    const impi_FaceBlock *block = &body->blocks->blocks.blocks[face / IMPI_BLOCK_FACES];
    const imp_Vec3 *vertices = impi_body_vertices(body) + block->first_vertex;
    unsigned lane = face % IMPI_BLOCK_FACES;
    imp_Triangle triangle;
    for (int i = 0; i < 3; ++i)
        triangle.v[i] = impi_pose_vertex(&body->transform, &vertices[block->corners[i][lane]]);
    return triangle;
}

static double least(double a, double b, double c)
{
    return impi_smaller(impi_smaller(a, b), c);
}

static double most(double a, double b, double c)
{
    return impi_larger(impi_larger(a, b), c);
}

static imp_Box box_of(const imp_Triangle *t)
{
    return (imp_Box){{least(t->v[0].x, t->v[1].x, t->v[2].x), least(t->v[0].y, t->v[1].y, t->v[2].y),
                      least(t->v[0].z, t->v[1].z, t->v[2].z)},
                     {most(t->v[0].x, t->v[1].x, t->v[2].x), most(t->v[0].y, t->v[1].y, t->v[2].y),
                      most(t->v[0].z, t->v[1].z, t->v[2].z)}};
}

static imp_Box common_box(const imp_Box *a, const imp_Box *b)
{
    return (imp_Box){
        {impi_larger(a->min.x, b->min.x), impi_larger(a->min.y, b->min.y), impi_larger(a->min.z, b->min.z)},
        {impi_smaller(a->max.x, b->max.x), impi_smaller(a->max.y, b->max.y),
         impi_smaller(a->max.z, b->max.z)}};
}

static void keep_faces(const Leaf *leaf, const imp_Box *region, Scratch *scratch)
{
    scratch->count = 0;
    for (size_t i = 0; i < leaf->face_count; ++i) {
        imp_Triangle triangle = pose_face(leaf->body, leaf->faces[i]);
        imp_Box box = box_of(&triangle);
        if (!impi_boxes_meet(&box, region))
            continue;
        scratch->triangles[scratch->count] = triangle;
        scratch->boxes[scratch->count++] = box;
    }
}

static void fill_lanes(double lanes[3][3][IMPI_BATCH_LANES], const imp_Triangle *triangle, unsigned lane)
{
    for (int i = 0; i < 3; ++i) {
        lanes[i][0][lane] = triangle->v[i].x;
        lanes[i][1][lane] = triangle->v[i].y;
        lanes[i][2][lane] = triangle->v[i].z;
    }
}

// Decide the pairs that have gathered.
static bool is_any_touching(Scratch *scratch)
{
    unsigned count = scratch->pending_count;
    scratch->pending_count = 0;
    if (count == 0)
        return false;
    for (unsigned lane = 0; lane < IMPI_BATCH_LANES; ++lane) { // lanes beyond the end repeat the last pair
        unsigned from = lane < count ? lane : count - 1;
        fill_lanes(scratch->batch.a, &scratch->pending[0][from], lane);
        fill_lanes(scratch->batch.b, &scratch->pending[1][from], lane);
    }
    impi_BatchVerdict verdict = impi_batch_decide()(&scratch->batch);
    if (verdict.touch)
        return true;
    for (unsigned lane = 0; lane < count; ++lane)
        if (!(verdict.separate >> lane & 1) &&
            impi_triangles_touch(&scratch->pending[0][lane], &scratch->pending[1][lane]))
            return true;
    return false;
}

static bool touches_kept(const imp_Triangle *triangle, const imp_Box *box, Scratch *scratch)
{
    for (size_t i = 0; i < scratch->count; ++i) {
        if (!impi_boxes_meet(box, &scratch->boxes[i]))
            continue;
        scratch->pending[0][scratch->pending_count] = *triangle;
        scratch->pending[1][scratch->pending_count++] = scratch->triangles[i];
        if (scratch->pending_count == IMPI_BATCH_LANES && is_any_touching(scratch))
            return true;
    }
    return false;
}

bool impi_leaves_touch(const impi_LeafPair *pair, void *memory)
{
    Scratch *scratch = memory;
    Leaf few = leaf_of(pair->a, pair->leaf_a), many = leaf_of(pair->b, pair->leaf_b);
    imp_Box region = common_box(&few.ball, &many.ball);
    if (few.face_count > many.face_count) {
        Leaf other = few;
        few = many;
        many = other;
    }
    scratch->pending_count = 0;
    keep_faces(&few, &region, scratch);
    for (size_t i = 0; i < many.face_count && scratch->count > 0; ++i) {
        imp_Triangle triangle = pose_face(many.body, many.faces[i]);
        imp_Box box = box_of(&triangle);
        if (impi_boxes_meet(&box, &region) && touches_kept(&triangle, &box, scratch))
            return true;
    }
    return is_any_touching(scratch);
}
