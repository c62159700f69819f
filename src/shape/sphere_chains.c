// The slack. Lengths are in the local frame, where the mesh lies within 1 of the origin on each axis; think
// of a sphere whose center is within 8 of it, and of e = 2^-50. On each axis
//   - a vertex is off by e (IMPI_LOCAL_ERROR). Each bisection takes the middle of two corners, whose errors
//     it averages, and rounds a sum of no more than 2, which is then halved: 2^-54 each time, 3.75 e after
//     60;
//   - the center is off by e;
//   - their difference, less than 16, is rounded by e.
// That makes 6.75 e on each axis, 11.7 e for the distance. Its square is rounded three times, each by 2^-53
// of it, which for a distance of no more than 15.6 makes 3 e. The shrunk radius, which matters up to 16 only,
// is rounded by 2 e at most and its square by as much as e of the radius. 17.7 e in all: 2^-45 = 32 e is
// enough. A center that is farther away multiplies all of this but the vertices' share by how much farther it
// is.
//
// So that nothing overflows, spheres are taken to be no larger than they need to be to hold the whole mesh
// for sure. Spheres whose centers are very far away hold all of the mesh or count for nothing.
#include "shape/sphere_chains.h"

#include "geom/scalar.h"

#define SLACK          0x1p-45
#define NEAR           8.0     // see above
#define LARGE_RADIUS   32.0    // of a ball around a near center: holds all of the mesh
#define FAR            0x1p20  // beyond this from the mesh, a sphere holds all or nothing
#define TESTS_PER_LOOK 4096    // at who watches
#define FAR_EXCESS     0x1p-18 // a mesh there is smaller than half of this part of its distance

static void set_reach(impi_ChainBall *ball, double radius, double slack)
{
    ball->reach = radius - slack;
    ball->held_square = ball->reach < 0 ? -1 : ball->reach * ball->reach;
    ball->met_square = (radius + slack) * (radius + slack);
}

// In the units of the mesh. A single point is its origin, and is not rounded.
static void set_far(const impi_LocalFrame *frame, const imp_GivenSphere *sphere, impi_ChainBall *ball)
{
    double distance = impi_length(impi_subtract(sphere->center, frame->origin));
    bool holds_all = distance * (1 + FAR_EXCESS) <= sphere->radius;
    ball->center = (imp_Vec3){0, 0, 0};
    set_reach(ball, holds_all ? LARGE_RADIUS : 0, SLACK);
    ball->is_far = true;
}

void impi_chain_ball_set(const impi_LocalFrame *frame, const imp_GivenSphere *sphere, impi_ChainBall *ball)
{
    imp_Vec3 center = impi_to_local(frame, sphere->center);
    double distance = impi_longest(center);
    if (frame->is_point || !(distance <= FAR)) {
        set_far(frame, sphere, ball);
        return;
    }
    double excess = impi_larger(1, distance / NEAR);
    double radius = impi_length_to_local_down(frame, sphere->radius);
    ball->center = center;
    set_reach(ball, impi_smaller(radius, LARGE_RADIUS * excess), SLACK * excess);
    ball->is_far = false;
}

bool impi_chain_ball_grow(const impi_LocalFrame *frame, double square, imp_GivenSphere *sphere,
                          impi_ChainBall *ball)
{
    double distance = impi_length(impi_subtract(sphere->center, frame->origin));
    for (double margin = SLACK; ball->held_square < square; margin *= 2) {
        double radius = ball->is_far ? distance * (1 + 2 * FAR_EXCESS)
                                     : impi_length_from_local_up(frame, sqrt(square) + 2 * margin);
        if (!isfinite(radius))
            return false;
        sphere->radius = impi_larger(sphere->radius, radius);
        impi_chain_ball_set(frame, sphere, ball);
    }
    return true;
}

static void link_balls(const impi_SphereDraft *draft, impi_SphereChains *chains)
{
    for (size_t i = 0; i < draft->count; ++i) {
        impi_ChainBall *ball = &chains->balls[i];
        *ball = (impi_ChainBall){.parent = draft->data[i].parent};
        impi_chain_ball_set(&chains->frame, &draft->data[i], ball);
        if (i == 0)
            continue;
        impi_ChainBall *parent = &chains->balls[ball->parent];
        if (parent->child_count++ == 0)
            parent->first_child = (uint32_t)i;
    }
    // Only spheres of the last level have no children.
    while (chains->balls[chains->last_level_first].child_count > 0)
        ++chains->last_level_first;
}

imp_Status impi_sphere_chains_make(imp_Context *context, const imp_Mesh *mesh, const impi_SphereDraft *draft,
                                   impi_SphereChains *chains)
{
    size_t vertex_count = mesh->arrays.vertex_count;
    *chains = (impi_SphereChains){.frame = impi_local_frame_make(&mesh->shape.bounds), .count = draft->count};
    imp_Vec3 *vertices = impi_arena_allocate_array(&context->scratch, vertex_count, sizeof *vertices);
    chains->balls = impi_arena_allocate_array(&context->scratch, draft->count, sizeof *chains->balls);
    if (!vertices || !chains->balls)
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < vertex_count; ++i)
        vertices[i] = impi_to_local(&chains->frame, mesh->arrays.vertices[i]);
    chains->vertices = vertices;
    link_balls(draft, chains);
    return IMP_STATUS_OK;
}

// ---- pieces

static double square_length(imp_Vec3 v)
{
    return impi_dot(v, v);
}

impi_CoverPiece impi_triangle_piece(imp_Vec3 a, imp_Vec3 b, imp_Vec3 c)
{
    return (impi_CoverPiece){
        .min = {impi_smaller(impi_smaller(a.x, b.x), c.x), impi_smaller(impi_smaller(a.y, b.y), c.y),
                impi_smaller(impi_smaller(a.z, b.z), c.z)},
        .max = {impi_larger(impi_larger(a.x, b.x), c.x), impi_larger(impi_larger(a.y, b.y), c.y),
                impi_larger(impi_larger(a.z, b.z), c.z)},
        .corners = {a, b, c},
    };
}

static imp_Vec3 middle(imp_Vec3 a, imp_Vec3 b)
{
    return (imp_Vec3){(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
}

void impi_piece_bisect(const impi_CoverPiece *piece, impi_CoverPiece halves[2])
{
    unsigned longest = 0; // the number of the side is that of its first corner
    double length = -1;
    for (unsigned i = 0; i < 3; ++i) {
        double side = square_length(impi_subtract(piece->corners[i], piece->corners[(i + 1) % 3]));
        if (side > length) {
            length = side;
            longest = i;
        }
    }
    imp_Vec3 a = piece->corners[longest], b = piece->corners[(longest + 1) % 3],
             c = piece->corners[(longest + 2) % 3], m = middle(a, b);
    halves[0] = impi_triangle_piece(a, m, c);
    halves[1] = impi_triangle_piece(m, b, c);
}

double impi_piece_size(const impi_CoverPiece *piece)
{
    if (piece->is_box)
        return sqrt(square_length(impi_subtract(piece->max, piece->min)));
    double longest = 0;
    for (unsigned i = 0; i < 3; ++i)
        longest = impi_larger(longest,
                              square_length(impi_subtract(piece->corners[i], piece->corners[(i + 1) % 3])));
    return sqrt(longest);
}

double impi_piece_farthest_square(const impi_CoverPiece *piece, const imp_Vec3 *center)
{
    if (piece->is_box) {
        imp_Vec3 low = impi_subtract(*center, piece->min), high = impi_subtract(piece->max, *center);
        return square_length(
            (imp_Vec3){impi_larger(low.x, high.x), impi_larger(low.y, high.y), impi_larger(low.z, high.z)});
    }
    double a = square_length(impi_subtract(piece->corners[0], *center)),
           b = square_length(impi_subtract(piece->corners[1], *center)),
           c = square_length(impi_subtract(piece->corners[2], *center));
    return impi_larger(impi_larger(a, b), c);
}

double impi_piece_nearest_square(const impi_CoverPiece *piece, const imp_Vec3 *center)
{
    imp_Vec3 low = impi_subtract(piece->min, *center), high = impi_subtract(*center, piece->max);
    return square_length((imp_Vec3){impi_larger(impi_larger(low.x, high.x), 0),
                                    impi_larger(impi_larger(low.y, high.y), 0),
                                    impi_larger(impi_larger(low.z, high.z), 0)});
}

void impi_piece_join(impi_CoverPiece *box, const impi_CoverPiece *piece)
{
    box->min = (imp_Vec3){impi_smaller(box->min.x, piece->min.x), impi_smaller(box->min.y, piece->min.y),
                          impi_smaller(box->min.z, piece->min.z)};
    box->max = (imp_Vec3){impi_larger(box->max.x, piece->max.x), impi_larger(box->max.y, piece->max.y),
                          impi_larger(box->max.z, piece->max.z)};
    box->is_box = true;
}

// ---- fronts

void impi_cover_front_begin(impi_CoverFront *front)
{
    front->nodes.count = 0;
    if (impi_array_reserve(front->allocator, &front->nodes, sizeof *front->nodes.data, 1))
        front->nodes.data[front->nodes.count++] = 0;
    else
        front->out_of_memory = front->is_ended = true;
}

void impi_cover_front_free(impi_CoverFront *front)
{
    impi_array_free(front->allocator, &front->nodes, sizeof *front->nodes.data);
}

// The best sphere of the last level so far: a preferred one, or that which has most room around the piece.
typedef struct Choice {
    uint32_t sphere;
    double fill; // how much of the square of its radius is used; negative for a preferred one
} Choice;

static bool is_preferred(const impi_CoverFront *front, uint32_t sphere)
{
    for (size_t i = 0; i < front->preferred_count; ++i)
        if (front->preferred[i] == sphere)
            return true;
    return false;
}

static void visit(impi_CoverFront *front, const impi_CoverPiece *piece, uint32_t node, Choice *choice)
{
    const impi_ChainBall *ball = &front->chains->balls[node];
    double farthest = impi_piece_farthest_square(piece, &ball->center);
    if (++front->test_count % TESTS_PER_LOOK == 0 && !impi_watch_goes_on(front->watch))
        front->is_ended = true;
    if (farthest <= ball->held_square) {
        if (ball->child_count == 0) {
            double fill = is_preferred(front, node) ? -1 : farthest / ball->held_square;
            if (choice->sphere == IMP_NO_SPHERE || fill < choice->fill)
                *choice = (Choice){node, fill};
        }
        for (uint32_t i = 0; i < ball->child_count && !front->is_ended; ++i)
            visit(front, piece, ball->first_child + i, choice);
        return;
    }
    if (choice->sphere != IMP_NO_SPHERE || ball->held_square < 0 ||
        impi_piece_nearest_square(piece, &ball->center) > ball->met_square)
        return;
    if (!impi_array_reserve(front->allocator, &front->nodes, sizeof *front->nodes.data,
                            front->nodes.count + 1)) {
        front->out_of_memory = front->is_ended = true;
        return;
    }
    front->nodes.data[front->nodes.count++] = node;
}

uint32_t impi_cover_front_narrow(impi_CoverFront *front, size_t begin, size_t end,
                                 const impi_CoverPiece *piece)
{
    Choice choice = {.sphere = IMP_NO_SPHERE};
    for (size_t i = begin; i < end && choice.fill >= 0 && !front->is_ended; ++i)
        visit(front, piece, front->nodes.data[i], &choice);
    return choice.sphere;
}
