// Faces have balls of their own: those that don't meet the ball of the other leaf share no point with a face
// there inside of both, and of the rest, few pairs of balls meet. Only faces of such pairs are posed, and
// kept: of the leaves that are compared one after the other, one is often the same as before.
//
// Cost: a pass over the balls of the faces of both, in single precision, and over the pairs of those that are
// left.
#include "object/sphere_leaf.h"

#include "geom/predicates.h"
#include "geom/scalar.h"
#include "geom/touch.h"
#include "geom/triangle_batch.h"
#include "shape/bounds.h"
#include "shape/sphere_tree.h"

#include <string.h>

#define MAX_KEPT 256 // the square root of IMPI_MAX_LEAF_FACE_PAIRS

typedef struct PosedFace {
    imp_Triangle triangle;
    imp_Box box;
} PosedFace;

// Posed faces of a leaf of a body, as far as they were asked for.
typedef struct KeptLeaf {
    const impi_Body *body; // null: nothing is kept
    uint32_t leaf;
    uint64_t is_posed[MAX_KEPT / 64]; // bits
    PosedFace faces[MAX_KEPT];
    PosedFace other; // of a leaf with more faces, the one at hand
} KeptLeaf;

// A face whose ball is in the frame of b's tree.
typedef struct NearFace {
    impi_FaceBall ball;
    uint32_t number; // in the leaf
} NearFace;

struct impi_LeafScratch {
    impi_TriangleBatch batch;
    KeptLeaf kept[2];                            // of bodies a and b
    imp_Triangle pending[2][IMPI_BATCH_LANES];   // pairs in the batch
    uint32_t pending_faces[2][IMPI_BATCH_LANES]; // their numbers in the leaves
    unsigned pending_count;
    unsigned touching_lane; // the pair that was found to touch
    size_t near_count;      // of faces of one leaf that are near the other
    NearFace near[MAX_KEPT];
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
    const impi_FaceBall *balls;
    size_t count;
} LeafFaces;

static LeafFaces faces_of(const impi_Body *body, uint32_t leaf)
{
    const impi_SphereLanes *lanes = &body->spheres->lanes;
    const size_t *first = lanes->first + (leaf - lanes->first_leaf);
    return (LeafFaces){lanes->faces + first[0], lanes->balls + first[0], first[1] - first[0]};
}

size_t impi_leaves_face_count(const impi_LeafPair *pair)
{
    return faces_of(pair->a, pair->leaf_a).count + faces_of(pair->b, pair->leaf_b).count;
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

// ---- balls

// In the frame of b's tree; `motion` is null for what is there already.
static impi_FaceBall place_ball(const impi_FaceBall *ball, const impi_SphereMotion *motion)
{
    impi_FaceBall placed = *ball;
    if (!motion)
        return placed;
    for (int axis = 0; axis < 3; ++axis)
        placed.center[axis] =
            ((motion->rows[axis][0] * ball->center[0] + motion->rows[axis][1] * ball->center[1]) +
             motion->rows[axis][2] * ball->center[2]) +
            motion->translation[axis];
    placed.radius *= motion->ratio;
    return placed;
}

// NaN is near everything.
static bool are_apart(const impi_FaceBall *a, const impi_FaceBall *b, float widening)
{
    float x = a->center[0] - b->center[0], y = a->center[1] - b->center[1], z = a->center[2] - b->center[2];
    float reach = (a->radius + b->radius) + widening;
    return (x * x + y * y) + z * z > (reach * reach) * IMPI_SPHERE_SQUARE_ROOM;
}

// ---- faces

// One of the two leaves.
typedef struct Side {
    LeafFaces faces;
    const impi_SphereMotion *motion; // see place_ball
    impi_FaceBall ball;              // of the leaf itself, in the frame of b's tree
    KeptLeaf *kept;
} Side;

static Side make_side(const impi_Body *body, uint32_t leaf, const impi_SphereMotion *motion, KeptLeaf *kept)
{
    const impi_SphereNode *node = &body->spheres->lanes.nodes[leaf];
    impi_FaceBall ball = {{node->center[0], node->center[1], node->center[2]}, node->radius};
    if (kept->body != body || kept->leaf != leaf) {
        kept->body = body;
        kept->leaf = leaf;
        memset(kept->is_posed, 0, sizeof kept->is_posed);
    }
    return (Side){faces_of(body, leaf), motion, place_ball(&ball, motion), kept};
}

static PosedFace pose_face(const Side *side, uint32_t number)
{
    PosedFace face = {.triangle = impi_body_triangle(side->kept->body, side->faces.faces[number])};
    face.box = box_of(&face.triangle);
    return face;
}

static const PosedFace *posed_face(const Side *side, uint32_t number)
{
    KeptLeaf *kept = side->kept;
    if (side->faces.count > MAX_KEPT) {
        kept->other = pose_face(side, number);
        return &kept->other;
    }
    uint64_t *word = &kept->is_posed[number / 64], bit = UINT64_C(1) << number % 64;
    if (!(*word & bit))
        kept->faces[number] = pose_face(side, number);
    *word |= bit;
    return &kept->faces[number];
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

// Which faces are near the other leaf?
static void list_near(const Side *side, const impi_FaceBall *other, float widening, impi_LeafScratch *scratch)
{
    scratch->near_count = 0;
    for (uint32_t i = 0; i < side->faces.count; ++i) {
        NearFace face = {place_ball(&side->faces.balls[i], side->motion), i};
        if (!are_apart(&face.ball, other, widening))
            scratch->near[scratch->near_count++] = face;
    }
}

// Does a face touch one of those that are near?
static bool touches_near(const Side *few, const Side *many, const NearFace *face, float widening,
                         impi_LeafScratch *scratch)
{
    const PosedFace *posed = NULL;
    for (size_t i = 0; i < scratch->near_count; ++i) {
        const NearFace *near = &scratch->near[i];
        if (are_apart(&face->ball, &near->ball, widening))
            continue;
        if (!posed)
            posed = posed_face(many, face->number);
        const PosedFace *other = posed_face(few, near->number);
        if (!impi_boxes_meet(&posed->box, &other->box))
            continue;
        unsigned lane = scratch->pending_count++;
        scratch->pending[0][lane] = posed->triangle;
        scratch->pending[1][lane] = other->triangle;
        scratch->pending_faces[0][lane] = face->number;
        scratch->pending_faces[1][lane] = near->number;
        if (scratch->pending_count == IMPI_BATCH_LANES && is_any_touching(scratch))
            return true;
    }
    return false;
}

// `few` can be kept.
static bool leaves_touch(const Side *few, const Side *many, float widening, impi_LeafScratch *scratch)
{
    list_near(few, &many->ball, widening, scratch);
    scratch->pending_count = 0;
    for (uint32_t i = 0; i < many->faces.count && scratch->near_count > 0; ++i) {
        NearFace face = {place_ball(&many->faces.balls[i], many->motion), i};
        if (!are_apart(&face.ball, &few->ball, widening) && touches_near(few, many, &face, widening, scratch))
            return true;
    }
    return is_any_touching(scratch);
}

bool impi_leaves_touch(const impi_LeafPair *pair, const impi_SphereMotion *motion, impi_LeafScratch *scratch,
                       impi_TouchHint *touching)
{
    Side a = make_side(pair->a, pair->leaf_a, motion, &scratch->kept[0]);
    Side b = make_side(pair->b, pair->leaf_b, NULL, &scratch->kept[1]);
    bool has_few_a = a.faces.count <= MAX_KEPT;
    const Side *few = has_few_a ? &a : &b, *many = has_few_a ? &b : &a;
    if (!leaves_touch(few, many, motion->widening, scratch))
        return false;
    unsigned lane = scratch->touching_lane;
    *touching = (impi_TouchHint){true, a.faces.faces[scratch->pending_faces[has_few_a][lane]],
                                 b.faces.faces[scratch->pending_faces[!has_few_a][lane]]};
    return true;
}
