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

#include <inttypes.h>

#define TESTS_A_FACE  (UINT64_C(1) << 10) // a face for which this is not enough is mended
#define MORE_TESTS    (UINT64_C(1) << 28)
#define TOLERANCE     0x1p-7  // of a sphere's radius: growing by so much more than necessary is well,
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
    const impi_BareFace *bare;
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

static double ball_cost(const impi_ChainBall *ball, const impi_CoverPiece *piece)
{
    double square = impi_piece_farthest_square(piece, &ball->center);
    if (square <= ball->held_square)
        return 0;
    return ball->is_far ? FAR_COST : impi_larger(sqrt(square) - ball->reach, 0x1p-60);
}

// Not more than `limit` is of interest.
static double chain_cost(const Mending *mending, uint32_t sphere, const impi_CoverPiece *piece, double limit)
{
    double cost = 0;
    for (uint32_t i = sphere; i != IMP_NO_SPHERE && cost <= limit; i = mending->chains.balls[i].parent)
        cost += ball_cost(&mending->chains.balls[i], piece);
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
        if (ball->is_far || sqrt(impi_piece_nearest_square(piece, &ball->center)) - ball->reach <= cost)
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

// How much some chain has to grow for the worst of the corners alone.
static double least_cost(const Mending *mending, Range range, const impi_CoverPiece *piece)
{
    double least = 0;
    for (unsigned i = 0; i < 3; ++i) {
        imp_Vec3 corner = piece->corners[i];
        impi_CoverPiece point = impi_triangle_piece(corner, corner, corner);
        least = impi_larger(least, choose_chain(mending, range, &point).cost);
    }
    return least;
}

static bool is_good_enough(const Mending *mending, Range range, const impi_CoverPiece *piece,
                           const Choice *choice)
{
    double reach = impi_larger(mending->chains.balls[choice->sphere].reach, 0);
    double wanted = impi_larger(impi_larger(reach * TOLERANCE, choice->cost * EXCESS), SMALLEST);
    return choice->cost <= wanted || impi_piece_size(piece) <= wanted ||
           choice->cost - least_cost(mending, range, piece) <= wanted;
}

static imp_Status mend_piece(Mending *mending, Range range, const impi_CoverPiece *piece, unsigned depth)
{
    Range narrowed;
    Choice choice = choose_chain(mending, range, piece);
    if (choice.cost == 0)
        return IMP_STATUS_OK;
    if (depth == IMPI_MAX_PIECE_DEPTH || mending->splits_left == 0 ||
        is_good_enough(mending, range, piece, &choice))
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
    Range narrowed;
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

static imp_Status mend_faces(Mending *mending, const impi_FacePieces *pieces)
{
    imp_Context *context = mending->context;
    size_t first = mending->chains.last_level_first, count = mending->chains.count - first;
    mending->bare = pieces->bare;
    mending->splits_left = SPLITS_A_FACE * pieces->bare_count + MORE_SPLITS;
    if (!impi_array_reserve(&context->allocator, &mending->candidates, sizeof *mending->candidates.data,
                            count))
        return impi_fail_out_of_memory(context);
    for (size_t i = 0; i < count; ++i)
        mending->candidates.data[mending->candidates.count++] = (uint32_t)(first + i);
    impi_watch_work(&context->watch, "mending holes", pieces->bare_count);
    return mend_group(mending, (Range){0, count}, 0, pieces->bare_count);
}

imp_Status impi_sphere_cover_mend(imp_Context *context, const imp_Mesh *mesh, imp_SphereCover cover,
                                  impi_SphereDraft *draft)
{
    (void)cover;
    Mending mending = {.context = context, .mesh = mesh, .draft = draft};
    impi_FacePieces pieces;
    impi_FacePiecesDef def = {.mesh = mesh,
                              .chains = &mending.chains,
                              .work = "looking for holes",
                              .tests_a_face = TESTS_A_FACE,
                              .more_tests = MORE_TESTS};
    impi_ArenaMark mark = impi_arena_mark(&context->scratch);
    imp_Status status = impi_sphere_chains_make(context, mesh, draft, &mending.chains);
    if (status == IMP_STATUS_OK)
        status = impi_face_pieces_find(context, &def, &pieces);
    if (status == IMP_STATUS_OK && pieces.bare_count > 0)
        status = mend_faces(&mending, &pieces);
    impi_array_free(&context->allocator, &mending.candidates, sizeof *mending.candidates.data);
    impi_arena_rewind(&context->scratch, mark);
    return status;
}
