// Faces that no chains hold are found as for the proof. Then they are divided in the same way, but each piece
// is given to the chain that has to grow least, by the sum over its spheres, unless single points of it would
// need much less: then it is divided once more. Later pieces find the spheres as they have become. The proof
// comes upon the same pieces, or upon larger ones that are held already: it succeeds by construction.
//
// For a piece whose best chain has to grow by some length, chains that would have to grow by more to even
// reach it are of no use, nor are they for its parts. So parts look at few chains. Cost: the search for bare
// faces, and about the number of pieces of those times the few chains near each.
#include "shape/sphere_cover.h"

#include "geom/scalar.h"
#include "shape/sphere_face_pieces.h"
#include "shape/sphere_solid_boxes.h"

#include <inttypes.h>

#define TOLERANCE     0x1p-7  // of a sphere's radius: growing by so much more than necessary is well,
#define BOX_TOLERANCE 0x1p-5  // boxes are many
#define EXCESS        0.125   // or by this part of what is necessary,
#define SMALLEST      0x1p-24 // or by this
#define FAR_COST      0x1p40  // of spheres that can only hold all or nothing
#define SPLITS_A_FACE (UINT64_C(1) << 10) // so that the number of pieces is bounded,
#define MORE_SPLITS   (UINT64_C(1) << 22) // and so many more in all

typedef struct Mending {
    imp_Context *context;
    const imp_Mesh *mesh;
    impi_SphereDraft *draft;
    impi_SphereChains chains;
    double *given; // the reach of each ball as it was
    const impi_BareFace *bare;
    impi_PointLocator locator;
    impi_SolidDivision division;
    IMPI_ARRAY(uint32_t) candidates; // a stack: spheres of the last level that may be best for a piece
    uint64_t splits_left;
} Mending;

// The candidates of a piece on the stack.
typedef struct Range {
    size_t begin, end;
} Range;

// A chain, and by how much its spheres have to grow together.
typedef struct Choice {
    uint32_t sphere;
    double cost;
} Choice;

// What a ball that does not hold a piece yet would have grown in all. If only what is to come counted, a ball
// that has grown once would be the cheapest for the next piece beside it, and so on across the whole mesh.
static double ball_cost(const Mending *mending, uint32_t i, const impi_CoverPiece *piece)
{
    const impi_ChainBall *ball = &mending->chains.balls[i];
    double square = impi_piece_farthest_square(piece, &ball->center);
    if (square <= ball->held_square)
        return 0;
    return ball->is_far ? FAR_COST : impi_larger(sqrt(square) - mending->given[i], 0x1p-60);
}

// Not more than `limit` is of interest.
static double chain_cost(const Mending *mending, uint32_t sphere, const impi_CoverPiece *piece, double limit)
{
    double cost = 0;
    for (uint32_t i = sphere; i != IMP_NO_SPHERE && cost <= limit; i = mending->chains.balls[i].parent)
        cost += ball_cost(mending, i, piece);
    return cost;
}

static Choice choose_chain(const Mending *mending, Range range, const impi_CoverPiece *piece)
{
    Choice best = {IMP_NO_SPHERE, INFINITY};
    for (size_t i = range.begin; i < range.end && best.cost > 0; ++i) {
        uint32_t sphere = mending->candidates.data[i];
        double cost = chain_cost(mending, sphere, piece, best.cost);
        if (cost < best.cost)
            best = (Choice){sphere, cost};
    }
    return best;
}

// The candidates for parts of a piece, on top of the stack: all that can reach it with no more than `cost`.
static imp_Status narrow(Mending *mending, Range range, const impi_CoverPiece *piece, double cost,
                         Range *narrowed)
{
    size_t count = mending->candidates.count;
    if (!impi_array_reserve(&mending->context->allocator, &mending->candidates,
                            sizeof *mending->candidates.data, count + (range.end - range.begin)))
        return impi_fail_out_of_memory(mending->context);
    for (size_t i = range.begin; i < range.end; ++i) {
        uint32_t sphere = mending->candidates.data[i];
        const impi_ChainBall *ball = &mending->chains.balls[sphere];
        double nearest = sqrt(impi_piece_nearest_square(piece, &ball->center));
        // What rounding takes from the sum must not drop the sphere whose cost it is.
        double most = (mending->given[sphere] + cost) * (1 + 0x1p-50);
        if (ball->is_far || nearest <= impi_larger(ball->reach, most))
            mending->candidates.data[mending->candidates.count++] = sphere;
    }
    *narrowed = (Range){count, mending->candidates.count};
    return IMP_STATUS_OK;
}

static imp_Status grow_chain(const Mending *mending, uint32_t sphere, const impi_CoverPiece *piece)
{
    for (uint32_t i = sphere; i != IMP_NO_SPHERE; i = mending->chains.balls[i].parent) {
        impi_ChainBall *ball = &mending->chains.balls[i];
        double square = impi_piece_farthest_square(piece, &ball->center);
        if (!impi_chain_ball_grow(&mending->chains.frame, square, &mending->draft->data[i], ball))
            return impi_fail(mending->context, IMP_STATUS_BAD_NUMBER, IMP_NOWHERE,
                             "the radius of sphere %" PRIu32 " would exceed the largest double", i);
    }
    return IMP_STATUS_OK;
}

static imp_Vec3 corner_of(const impi_CoverPiece *piece, unsigned i)
{
    if (!piece->is_box)
        return piece->corners[i];
    return (imp_Vec3){i & 1 ? piece->max.x : piece->min.x, i & 2 ? piece->max.y : piece->min.y,
                      i & 4 ? piece->max.z : piece->min.z};
}

// How much some chain has to grow for the worst of the corners alone.
static double least_cost(const Mending *mending, Range range, const impi_CoverPiece *piece)
{
    double least = 0;
    for (unsigned i = 0; i < (piece->is_box ? 8 : 3); ++i) {
        imp_Vec3 corner = corner_of(piece, i);
        impi_CoverPiece point = impi_triangle_piece(corner, corner, corner);
        least = impi_larger(least, choose_chain(mending, range, &point).cost);
    }
    return least;
}

// Of a box that faces meet, corners may be outside, and what they need is not necessary.
static bool is_good_enough(const Mending *mending, Range range, const impi_CoverPiece *piece,
                           bool corners_count, const Choice *choice)
{
    double spare =
        impi_larger(mending->given[choice->sphere], 0) * (piece->is_box ? BOX_TOLERANCE : TOLERANCE);
    double wanted = impi_larger(impi_larger(spare, choice->cost * EXCESS), SMALLEST);
    return choice->cost <= spare || impi_piece_size(piece) <= wanted ||
           (corners_count && choice->cost - least_cost(mending, range, piece) <= wanted);
}

static imp_Status mend_piece(Mending *mending, Range range, const impi_CoverPiece *piece, unsigned depth)
{
    Range narrowed = {0, 0};
    Choice choice = choose_chain(mending, range, piece);
    if (choice.cost == 0)
        return IMP_STATUS_OK;
    if (depth == IMPI_MAX_PIECE_DEPTH || mending->splits_left == 0 ||
        is_good_enough(mending, range, piece, true, &choice))
        return grow_chain(mending, choice.sphere, piece);
    if (!impi_watch_goes_on(&mending->context->watch))
        return impi_watch_status(mending->context);
    --mending->splits_left;
    size_t top = mending->candidates.count;
    imp_Status status = narrow(mending, range, piece, choice.cost, &narrowed);
    impi_CoverPiece halves[2];
    impi_piece_bisect(piece, halves);
    for (unsigned i = 0; i < 2 && status == IMP_STATUS_OK; ++i)
        status = mend_piece(mending, narrowed, &halves[i], depth + 1);
    mending->candidates.count = top;
    return status;
}

static impi_CoverPiece bare_piece(const Mending *mending, size_t i)
{
    return impi_face_piece(mending->mesh, &mending->chains, mending->bare[i].face);
}

// The bare faces at [first, last).
static imp_Status mend_group(Mending *mending, Range range, size_t first, size_t last)
{
    impi_CoverPiece box = bare_piece(mending, first);
    Range narrowed = {0, 0};
    if (last - first == 1) {
        imp_Status status = mend_piece(mending, range, &box, 0);
        bool goes_on = impi_watch_step(&mending->context->watch, 1);
        return status == IMP_STATUS_OK && !goes_on ? impi_watch_status(mending->context) : status;
    }
    for (size_t i = first; i < last; ++i) {
        impi_CoverPiece piece = bare_piece(mending, i);
        impi_piece_join(&box, &piece);
    }
    Choice choice = choose_chain(mending, range, &box);
    imp_Status status = narrow(mending, range, &box, choice.cost, &narrowed);
    size_t middle = first + (last - first) / 2;
    if (status == IMP_STATUS_OK)
        status = mend_group(mending, narrowed, first, middle);
    if (status == IMP_STATUS_OK)
        status = mend_group(mending, narrowed, middle, last);
    mending->candidates.count = range.end;
    return status;
}

// All spheres of the last level.
static imp_Status begin_candidates(Mending *mending, Range *range)
{
    size_t first = mending->chains.last_level_first, count = mending->chains.count - first;
    mending->candidates.count = 0;
    if (!impi_array_reserve(&mending->context->allocator, &mending->candidates,
                            sizeof *mending->candidates.data, count))
        return impi_fail_out_of_memory(mending->context);
    for (size_t i = 0; i < count; ++i)
        mending->candidates.data[mending->candidates.count++] = (uint32_t)(first + i);
    *range = (Range){0, count};
    return IMP_STATUS_OK;
}

static imp_Status mend_surface(Mending *mending)
{
    imp_Context *context = mending->context;
    impi_FacePieces pieces;
    impi_FacePiecesDef def = {.mesh = mending->mesh,
                              .chains = &mending->chains,
                              .work = "looking for holes",
                              .effort = IMPI_MENDING_EFFORT};
    Range range = {0, 0};
    imp_Status status = impi_face_pieces_find(context, &def, &pieces);
    if (status != IMP_STATUS_OK || pieces.bare_count == 0)
        return status;
    mending->bare = pieces.bare;
    mending->splits_left = SPLITS_A_FACE * pieces.bare_count + MORE_SPLITS;
    impi_watch_work(&context->watch, "mending holes", pieces.bare_count);
    status = begin_candidates(mending, &range);
    return status == IMP_STATUS_OK ? mend_group(mending, range, 0, pieces.bare_count) : status;
}

// ---- the inside

static imp_Status division_status(const Mending *mending)
{
    return mending->division.out_of_memory ? impi_fail_out_of_memory(mending->context)
                                           : impi_watch_status(mending->context);
}

// With the candidates in this range, and the faces at these places of the division.
static imp_Status mend_box(Mending *mending, Range range, size_t begin, size_t end, impi_SolidBox *box)
{
    size_t top = mending->candidates.count, faces_top = mending->division.faces.count;
    impi_CoverPiece piece = impi_solid_box_piece(&mending->chains.frame, box);
    impi_SolidBox halves[2];
    Choice choice = choose_chain(mending, range, &piece);
    if (choice.cost == 0)
        return IMP_STATUS_OK;
    imp_Status status = IMP_STATUS_OK;
    if (impi_solid_box_is_outside(&mending->division, begin, end, box))
        status = division_status(mending);
    else if (mending->splits_left == 0 || is_good_enough(mending, range, &piece, box->is_inside, &choice) ||
             !impi_solid_box_bisect(box, halves))
        status = grow_chain(mending, choice.sphere, &piece);
    else {
        Range narrowed = {0, 0};
        --mending->splits_left;
        status = narrow(mending, range, &piece, choice.cost, &narrowed);
        for (unsigned i = 0; i < 2 && status == IMP_STATUS_OK; ++i)
            status = mend_box(mending, narrowed, box->begin, box->end, &halves[i]);
        if (status == IMP_STATUS_OK && !impi_watch_goes_on(&mending->context->watch))
            status = impi_watch_status(mending->context);
    }
    mending->candidates.count = top;
    mending->division.faces.count = faces_top;
    return status;
}

static imp_Status mend_boxes(Mending *mending, impi_BareBox *bare, size_t count)
{
    imp_Context *context = mending->context;
    Range range = {0, 0};
    mending->splits_left = MORE_SPLITS;
    mending->division = (impi_SolidDivision){.mesh = mending->mesh,
                                             .locator = &mending->locator,
                                             .allocator = &context->allocator,
                                             .watch = &context->watch};
    impi_watch_work(&context->watch, "mending holes", count);
    imp_Status status = begin_candidates(mending, &range);
    impi_solid_division_begin(&mending->division);
    if (status == IMP_STATUS_OK && mending->division.is_ended)
        status = division_status(mending);
    for (size_t i = 0; i < count && status == IMP_STATUS_OK; ++i) {
        status = mend_box(mending, range, 0, mending->division.faces.count, &bare[i].top);
        if (status == IMP_STATUS_OK && !impi_watch_step(&context->watch, 1))
            status = impi_watch_status(context);
    }
    impi_solid_division_free(&mending->division);
    return status;
}

static imp_Status mend_inside(Mending *mending)
{
    impi_BareBox bare[IMPI_TOP_BOXES];
    size_t bare_count = 0;
    impi_SolidBoxesDef def = {.mesh = mending->mesh,
                              .chains = &mending->chains,
                              .locator = &mending->locator,
                              .work = "looking for holes inside",
                              .effort = IMPI_MENDING_EFFORT};
    imp_Status status = impi_point_locator_build(mending->context, mending->mesh, NULL, &mending->locator);
    if (status == IMP_STATUS_OK)
        status = impi_solid_boxes_find(mending->context, &def, bare, &bare_count);
    return status == IMP_STATUS_OK && bare_count > 0 ? mend_boxes(mending, bare, bare_count) : status;
}

static imp_Status note_given(Mending *mending)
{
    const impi_SphereChains *chains = &mending->chains;
    mending->given =
        impi_arena_allocate_array(&mending->context->scratch, chains->count, sizeof *mending->given);
    if (!mending->given)
        return impi_fail_out_of_memory(mending->context);
    for (size_t i = 0; i < chains->count; ++i)
        mending->given[i] = chains->balls[i].reach;
    return IMP_STATUS_OK;
}

imp_Status impi_sphere_cover_mend(imp_Context *context, const imp_Mesh *mesh, imp_SphereCover cover,
                                  impi_SphereDraft *draft)
{
    Mending mending = {.context = context, .mesh = mesh, .draft = draft};
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    imp_Status status = impi_sphere_chains_make(context, mesh, draft, &mending.chains);
    if (status == IMP_STATUS_OK)
        status = note_given(&mending);
    if (status == IMP_STATUS_OK)
        status = mend_surface(&mending);
    if (status == IMP_STATUS_OK && cover == IMP_COVER_SOLID)
        status = mend_inside(&mending);
    impi_array_free(&context->allocator, &mending.candidates, sizeof *mending.candidates.data);
    impi_arena_rewind(&context->scratch, mark);
    return status;
}
