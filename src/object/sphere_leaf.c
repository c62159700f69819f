// The faces of a leaf are posed and kept: of the leaves that are compared one after the other, one is often
// the same as before. Those of a large leaf are posed one by one. What shares a point with the other leaf's
// faces inside of both balls has a box that meets the boxes of both balls.
//
// Cost: a pass over the faces of both, and over their pairs as boxes.
#include "object/sphere_leaf.h"

#include "geom/pose.h"
#include "geom/predicates.h"
#include "geom/scalar.h"
#include "geom/touch.h"
#include "geom/triangle_batch.h"
#include "geom/vector.h"
#include "object/sphere_motion.h"
#include "shape/bounds.h"
#include "shape/sphere_tree.h"

#define MAX_KEPT 256 // the square root of IMPI_MAX_LEAF_FACE_PAIRS

// Posed faces of a leaf of a body.
typedef struct KeptLeaf {
    const impi_Body *body; // null: nothing is kept
    uint32_t leaf;
    imp_Box ball; // the box around the ball, in the world
    size_t count;
    imp_Triangle triangles[MAX_KEPT];
    imp_Box boxes[MAX_KEPT];
} KeptLeaf;

struct impi_LeafScratch {
    impi_TriangleBatch batch;
    KeptLeaf kept[2];                            // of bodies a and b
    imp_Triangle pending[2][IMPI_BATCH_LANES];   // pairs in the batch
    uint32_t pending_faces[2][IMPI_BATCH_LANES]; // their numbers in the leaves
    unsigned touching_lane;                      // the pair that was found to touch
    size_t near_count;                           // of kept faces that are near the other ball
    uint32_t near[MAX_KEPT];
    unsigned pending_count;
};

size_t impi_leaf_scratch_size(void)
{
    return sizeof(impi_LeafScratch);
}

void impi_leaf_scratch_begin(impi_LeafScratch *scratch)
{
    scratch->kept[0].body = scratch->kept[1].body = NULL;
}

// The faces of a leaf.
typedef struct LeafFaces {
    const impi_BlockFace *faces;
    size_t count;
} LeafFaces;

static imp_Box box_of_ball(const impi_Body *body, uint32_t leaf)
{
    const imp_Sphere *sphere = &body->spheres->spheres[leaf];
    imp_Vec3 center = impi_transform_apply(&body->transform, sphere->center);
    double sizes = impi_longest(sphere->center) + body->largest_coordinate +
                   impi_longest(body->transform.translation) + sphere->radius;
    double reach =
        sphere->radius + impi_body_displacement(body) + IMPI_POSE_ERROR * sizes + IMPI_LEAST_POSE_ERROR;
    if (!impi_vec3_is_finite(&center)) // vertices are finite, centers need not be
        return (imp_Box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    return (imp_Box){{center.x - reach, center.y - reach, center.z - reach},
                     {center.x + reach, center.y + reach, center.z + reach}};
}

static LeafFaces faces_of(const impi_Body *body, uint32_t leaf)
{
    const impi_SphereLanes *lanes = &body->spheres->lanes;
    const size_t *first = lanes->first + (leaf - lanes->first_leaf);
    return (LeafFaces){lanes->faces + first[0], first[1] - first[0]};
}

bool impi_leaves_are_small(const impi_LeafPair *pair)
{
    return faces_of(pair->a, pair->leaf_a).count * faces_of(pair->b, pair->leaf_b).count <=
           IMPI_MAX_LEAF_FACE_PAIRS;
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

// Have the faces of a leaf posed, unless they are too many to be kept.
static void keep_leaf(const impi_Body *body, uint32_t leaf, KeptLeaf *kept)
{
    LeafFaces faces = faces_of(body, leaf);
    if (kept->body == body && kept->leaf == leaf)
        return;
    kept->body = body;
    kept->leaf = leaf;
    kept->ball = box_of_ball(body, leaf);
    kept->count = faces.count <= MAX_KEPT ? faces.count : 0;
    for (size_t i = 0; i < kept->count; ++i) {
        kept->triangles[i] = impi_body_triangle(body, faces.faces[i]);
        kept->boxes[i] = box_of(&kept->triangles[i]);
    }
}

static void list_near(const KeptLeaf *kept, const imp_Box *region, impi_LeafScratch *scratch)
{
    scratch->near_count = 0;
    for (uint32_t i = 0; i < kept->count; ++i)
        if (impi_boxes_meet(&kept->boxes[i], region))
            scratch->near[scratch->near_count++] = i;
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
static bool is_any_touching(impi_LeafScratch *scratch)
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
    for (unsigned lane = 0; lane < count; ++lane) {
        scratch->touching_lane = lane;
        if ((verdict.touch >> lane & 1) ||
            (!(verdict.separate >> lane & 1) &&
             impi_triangles_touch(&scratch->pending[0][lane], &scratch->pending[1][lane])))
            return true;
    }
    return false;
}

// Does a face touch one of those that are near?
static bool touches_near(const imp_Triangle *triangle, uint32_t number, const imp_Box *box,
                         const KeptLeaf *kept, impi_LeafScratch *scratch)
{
    for (size_t i = 0; i < scratch->near_count; ++i) {
        uint32_t face = scratch->near[i];
        if (!impi_boxes_meet(box, &kept->boxes[face]))
            continue;
        unsigned lane = scratch->pending_count++;
        scratch->pending[0][lane] = *triangle;
        scratch->pending[1][lane] = kept->triangles[face];
        scratch->pending_faces[0][lane] = number;
        scratch->pending_faces[1][lane] = face;
        if (scratch->pending_count == IMPI_BATCH_LANES && is_any_touching(scratch))
            return true;
    }
    return false;
}

// `many` may be too large to be kept.
static bool leaves_touch(const KeptLeaf *few, const KeptLeaf *many, impi_LeafScratch *scratch)
{
    LeafFaces faces = faces_of(many->body, many->leaf);
    imp_Box region = common_box(&few->ball, &many->ball);
    list_near(few, &region, scratch);
    scratch->pending_count = 0;
    for (uint32_t i = 0; i < faces.count && scratch->near_count > 0; ++i) {
        imp_Triangle triangle;
        imp_Box box;
        if (many->count > 0) {
            box = many->boxes[i];
        } else {
            triangle = impi_body_triangle(many->body, faces.faces[i]);
            box = box_of(&triangle);
        }
        if (impi_boxes_meet(&box, &region) &&
            touches_near(many->count > 0 ? &many->triangles[i] : &triangle, i, &box, few, scratch))
            return true;
    }
    return is_any_touching(scratch);
}

bool impi_leaves_touch(const impi_LeafPair *pair, impi_LeafScratch *scratch, impi_TouchHint *touching)
{
    KeptLeaf *a = &scratch->kept[0], *b = &scratch->kept[1];
    keep_leaf(pair->a, pair->leaf_a, a);
    keep_leaf(pair->b, pair->leaf_b, b);
    bool has_few_a = a->count > 0;
    if (!(has_few_a ? leaves_touch(a, b, scratch) : leaves_touch(b, a, scratch)))
        return false;
    unsigned lane = scratch->touching_lane;
    *touching =
        (impi_TouchHint){true, faces_of(pair->a, pair->leaf_a).faces[scratch->pending_faces[has_few_a][lane]],
                         faces_of(pair->b, pair->leaf_b).faces[scratch->pending_faces[!has_few_a][lane]]};
    return true;
}
