// Black voxels in a row along z are moved as one piece, since a row's image is that of its voxels together.
// The common part of a moved row and a voxel is a convex polytope: each of its corners is on a face of one of
// both, cut to the other one. There is volume in it if and only if for each of the twelve planes some corner
// is off it. Centers are taken back into the source by Cramer's rule.
#include "octree_oracle.h"

#include "exact_polygon.h"

#include <stdlib.h>
#include <string.h>

// A parallelepiped by its eight corners (bit i of a corner's number: at the far end of edge i), and its six
// half-spaces. A box on axes is one, too.
typedef struct Piece {
    ExactPoint corners[8];
    ExactSpace spaces[6];
    mpz_t low[3], high[3]; // of the box around it
} Piece;

typedef struct Mover {
    const OracleMove *move;
    int matrix_scale, scale; // of the matrix, and of lengths in the source
    mpz_t matrix[3][3], shift[3], a, b, edges[3][3];
    mpz_t adjugate[3][3], determinant;
    ExactPolygon polygons[2];
    Piece target;
    Piece *pieces;
    uint32_t (*rows)[4]; // of each piece: x, y, and z from and up to
    size_t piece_count;
} Mover;

static void piece_init(Piece *piece)
{
    for (int i = 0; i < 8; ++i)
        exact_point_init(&piece->corners[i]);
    for (int i = 0; i < 6; ++i)
        exact_space_init(&piece->spaces[i]);
    for (int i = 0; i < 3; ++i)
        mpz_inits(piece->low[i], piece->high[i], NULL);
}

static void piece_clear(Piece *piece)
{
    for (int i = 0; i < 8; ++i)
        exact_point_clear(&piece->corners[i]);
    for (int i = 0; i < 6; ++i)
        exact_space_clear(&piece->spaces[i]);
    for (int i = 0; i < 3; ++i)
        mpz_clears(piece->low[i], piece->high[i], NULL);
}

// ---- parallelepipeds

// The half-spaces between the faces across edge i: along the product of the other two edges.
static void set_spaces(Mover *mover, Piece *piece, int i)
{
    int j = (i + 1) % 3, k = (i + 2) % 3;
    ExactSpace *above = &piece->spaces[2 * i], *below = &piece->spaces[2 * i + 1];
    mpz_set_ui(mover->b, 0);
    for (int axis = 0; axis < 3; ++axis) {
        int next = (axis + 1) % 3, last = (axis + 2) % 3;
        mpz_mul(mover->a, mover->edges[j][next], mover->edges[k][last]);
        mpz_submul(mover->a, mover->edges[j][last], mover->edges[k][next]);
        mpz_set(above->n[axis], mover->a);
        mpz_addmul(mover->b, mover->a, mover->edges[i][axis]);
    }
    if (mpz_sgn(mover->b) == 0)
        abort(); // it is flat, which no rotation makes of a cube
    for (int axis = 0; axis < 3 && mpz_sgn(mover->b) < 0; ++axis)
        mpz_neg(above->n[axis], above->n[axis]);
    mpz_set_ui(above->n[3], 0);
    mpz_set_ui(below->n[3], 0);
    for (int axis = 0; axis < 3; ++axis) {
        mpz_neg(below->n[axis], above->n[axis]);
        mpz_submul(above->n[3], above->n[axis], piece->corners[0].v[axis]);
        mpz_addmul(below->n[3], above->n[axis], piece->corners[1 << i].v[axis]);
    }
}

static void set_bounds(Piece *piece)
{
    for (int axis = 0; axis < 3; ++axis) {
        mpz_set(piece->low[axis], piece->corners[0].v[axis]);
        mpz_set(piece->high[axis], piece->corners[0].v[axis]);
        for (int i = 1; i < 8; ++i) {
            if (mpz_cmp(piece->corners[i].v[axis], piece->low[axis]) < 0)
                mpz_set(piece->low[axis], piece->corners[i].v[axis]);
            if (mpz_cmp(piece->corners[i].v[axis], piece->high[axis]) > 0)
                mpz_set(piece->high[axis], piece->corners[i].v[axis]);
        }
    }
}

// From the corners.
static void finish_piece(Mover *mover, Piece *piece)
{
    for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < 3; ++i)
            mpz_sub(mover->edges[i][axis], piece->corners[1 << i].v[axis], piece->corners[0].v[axis]);
    for (int i = 0; i < 3; ++i)
        set_spaces(mover, piece, i);
    set_bounds(piece);
}

// The same for a box on axes, which may be flat.
static void finish_upright(Piece *piece)
{
    set_bounds(piece);
    for (int axis = 0; axis < 3; ++axis) {
        exact_space_along(&piece->spaces[2 * axis], axis, true, piece->low[axis]);
        exact_space_along(&piece->spaces[2 * axis + 1], axis, false, piece->high[axis]);
    }
}

static void load_side(const Piece *piece, int side, ExactPolygon *polygon)
{
    int i = side / 2, j = (i + 1) % 3, k = (i + 2) % 3, at = side % 2 << i;
    int loop[4] = {at, at | 1 << j, at | 1 << j | 1 << k, at | 1 << k};
    polygon->count = 0;
    for (int c = 0; c < 4; ++c) {
        const ExactPoint *corner = &piece->corners[loop[c]];
        exact_polygon_add(polygon, corner->v[0], corner->v[1], corner->v[2]);
    }
}

// ---- common parts

static bool boxes_meet(const Piece *a, const Piece *b, bool with_volume)
{
    int least = with_volume ? 1 : 0;
    for (int axis = 0; axis < 3; ++axis)
        if (mpz_cmp(a->high[axis], b->low[axis]) < least || mpz_cmp(b->high[axis], a->low[axis]) < least)
            return false;
    return true;
}

// Strictly: then there is volume around it that both have.
static bool holds_any_corner(const Piece *a, const Piece *b)
{
    for (int i = 0; i < 8; ++i) {
        bool is_inside = true;
        for (int s = 0; s < 6 && is_inside; ++s)
            is_inside = exact_side(&a->spaces[s], &b->corners[i]) > 0;
        if (is_inside)
            return true;
    }
    return false;
}

// Sides of `a`, cut to `b`. Adds to the planes of both (bits) off which some corner is.
static bool cut_sides(Mover *mover, const Piece *a, const Piece *b, unsigned *off_a, unsigned *off_b)
{
    bool is_any = false;
    for (int side = 0; side < 6; ++side) {
        ExactPolygon *rest = &mover->polygons[0], *next = &mover->polygons[1];
        load_side(a, side, rest);
        for (int s = 0; s < 6 && rest->count > 0; ++s) {
            exact_polygon_cut(rest, &b->spaces[s], next);
            ExactPolygon *last = rest;
            rest = next;
            next = last;
        }
        for (int s = 0; s < 6 && rest->count > 0; ++s) {
            is_any = true;
            *off_a |= (unsigned)exact_polygon_enters(rest, &a->spaces[s]) << s;
            *off_b |= (unsigned)exact_polygon_enters(rest, &b->spaces[s]) << s;
        }
    }
    return is_any;
}

static bool pieces_meet(Mover *mover, const Piece *a, const Piece *b, bool with_volume)
{
    unsigned off_a = 0, off_b = 0;
    if (!boxes_meet(a, b, with_volume))
        return false;
    if (holds_any_corner(a, b) || holds_any_corner(b, a))
        return true;
    bool is_any = cut_sides(mover, a, b, &off_a, &off_b);
    is_any |= cut_sides(mover, b, a, &off_b, &off_a);
    return with_volume ? off_a == 0x3F && off_b == 0x3F : is_any;
}

// ---- numbers of a motion

static double corner_of_target(const OracleMove *move, int axis, uint32_t i, bool is_far)
{
    double slack = move->rule == IMP_MOVE_CENTRE ? 0 : move->slack * move->to.voxel;
    double corner = oracle_grid_corner(&move->to, axis, i + is_far);
    return is_far ? corner - slack : corner + slack;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

// Targets and the translation are divided by the matrix's scale, so that all lengths have one.
static void set_scales(Mover *mover)
{
    const OracleMove *move = mover->move;
    mover->matrix_scale = exact_scale_of(&move->transform.rows[0][0], 9);
    int scale = exact_scale_of(&move->transform.translation.x, 3) - mover->matrix_scale;
    for (int axis = 0; axis < 3; ++axis) {
        for (uint32_t i = 0; i <= 1u << move->from.level; ++i) {
            double corner = oracle_grid_corner(&move->from, axis, i);
            scale = larger(scale, exact_scale_of(&corner, 1));
        }
        for (uint32_t i = 0; i < 1u << move->to.level; ++i) {
            double ends[2] = {corner_of_target(move, axis, i, false), corner_of_target(move, axis, i, true)};
            scale = larger(scale, exact_scale_of(ends, 2) - mover->matrix_scale);
            ends[0] = oracle_grid_corner(&move->to, axis, i);
            ends[1] = oracle_grid_corner(&move->to, axis, i + 1);
            scale = larger(scale, exact_scale_of(ends, 2) - mover->matrix_scale);
        }
    }
    mover->scale = scale + 1; // for the middle of two corners
}

static void read_transform(Mover *mover, const imp_Transform *transform)
{
    for (int i = 0; i < 3; ++i) {
        exact_set_double(mover->shift[i], (&transform->translation.x)[i], mover->scale + mover->matrix_scale);
        for (int j = 0; j < 3; ++j)
            exact_set_double(mover->matrix[i][j], transform->rows[i][j], mover->matrix_scale);
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            int r = (j + 1) % 3, s = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            mpz_mul(mover->adjugate[i][j], mover->matrix[r][c], mover->matrix[s][d]);
            mpz_submul(mover->adjugate[i][j], mover->matrix[r][d], mover->matrix[s][c]);
        }
    mpz_set_ui(mover->determinant, 0);
    for (int i = 0; i < 3; ++i)
        mpz_addmul(mover->determinant, mover->matrix[0][i], mover->adjugate[i][0]);
    if (mpz_sgn(mover->determinant) <= 0)
        abort(); // no rotation
}

static void move_point(Mover *mover, const double point[3], ExactPoint *moved)
{
    for (int axis = 0; axis < 3; ++axis)
        mpz_set(moved->v[axis], mover->shift[axis]);
    for (int j = 0; j < 3; ++j) {
        exact_set_double(mover->a, point[j], mover->scale);
        for (int axis = 0; axis < 3; ++axis)
            mpz_addmul(moved->v[axis], mover->matrix[axis][j], mover->a);
    }
    mpz_set_ui(moved->v[3], 1);
}

// Corner `i` of a row, moved.
static void move_corner(Mover *mover, const uint32_t row[4], int i, ExactPoint *corner)
{
    uint32_t at[3] = {row[0] + (i & 1), row[1] + (i >> 1 & 1), i >> 2 & 1 ? row[3] : row[2]};
    double point[3];
    for (int axis = 0; axis < 3; ++axis)
        point[axis] = oracle_grid_corner(&mover->move->from, axis, at[axis]);
    move_point(mover, point, corner);
}

// From voxel `z` on, or further on: the first black one and the first behind it that is not.
static bool find_row(const uint8_t *black, uint32_t edge, uint32_t *z, uint32_t *end)
{
    while (*z < edge && !black[*z])
        ++*z;
    *end = *z;
    while (*end < edge && black[*end])
        ++*end;
    return *z < edge;
}

static void make_pieces(Mover *mover)
{
    uint32_t edge = 1u << mover->move->from.level, z, end;
    size_t count = 0;
    for (uint32_t i = 0; i < edge * edge; ++i)
        for (z = 0; find_row(mover->move->black + (size_t)i * edge, edge, &z, &end); z = end)
            ++count;
    mover->pieces = malloc((count + 1) * sizeof *mover->pieces);
    mover->rows = malloc((count + 1) * sizeof *mover->rows);
    for (uint32_t i = 0; i < edge * edge; ++i)
        for (z = 0; find_row(mover->move->black + (size_t)i * edge, edge, &z, &end); z = end) {
            uint32_t *row = mover->rows[mover->piece_count];
            memcpy(row, (uint32_t[4]){i / edge, i % edge, z, end}, sizeof *mover->rows);
            Piece *piece = &mover->pieces[mover->piece_count++];
            piece_init(piece);
            for (int c = 0; c < 8; ++c)
                move_corner(mover, row, c, &piece->corners[c]);
            finish_piece(mover, piece);
        }
}

static void load_target(Mover *mover, const uint32_t at[3])
{
    for (int i = 0; i < 8; ++i) {
        for (int axis = 0; axis < 3; ++axis)
            exact_set_double(mover->target.corners[i].v[axis],
                             corner_of_target(mover->move, axis, at[axis], i >> axis & 1),
                             mover->scale + mover->matrix_scale);
        mpz_set_ui(mover->target.corners[i].v[3], 1);
    }
    finish_upright(&mover->target);
}

// ---- centers

// The center times two and the determinant, as the source sees it; false when it is not between the corners
// of the row. Lengths there have the scale of those here, less that of the matrix.
static bool row_holds(Mover *mover, const uint32_t row[4], mpz_t *back)
{
    const imp_OctreeGrid *from = &mover->move->from;
    uint32_t low[3] = {row[0], row[1], row[2]}, high[3] = {row[0] + 1, row[1] + 1, row[3]};
    for (int axis = 0; axis < 3; ++axis) {
        exact_set_double(mover->a, oracle_grid_corner(from, axis, low[axis]), mover->scale);
        exact_set_double(mover->b, oracle_grid_corner(from, axis, high[axis]), mover->scale);
        mpz_mul(mover->a, mover->a, mover->determinant);
        mpz_mul(mover->b, mover->b, mover->determinant);
        mpz_mul_2exp(mover->a, mover->a, 1);
        mpz_mul_2exp(mover->b, mover->b, 1);
        if (mpz_cmp(back[axis], mover->a) < 0 || mpz_cmp(back[axis], mover->b) > 0)
            return false;
    }
    return true;
}

static bool center_is_held(Mover *mover)
{
    bool is_held = false;
    mpz_t back[3], way[3];
    for (int i = 0; i < 3; ++i) {
        mpz_inits(back[i], way[i], NULL);
        mpz_add(way[i], mover->target.corners[0].v[i], mover->target.corners[7].v[i]);
        mpz_submul_ui(way[i], mover->shift[i], 2);
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            mpz_addmul(back[i], mover->adjugate[i][j], way[j]);
    for (size_t i = 0; i < mover->piece_count && !is_held; ++i)
        is_held = row_holds(mover, mover->rows[i], back);
    for (int i = 0; i < 3; ++i)
        mpz_clears(back[i], way[i], NULL);
    return is_held;
}

// ---- all of it

static bool leaves_grid(Mover *mover)
{
    const imp_OctreeGrid *to = &mover->move->to;
    bool leaves = false;
    for (int axis = 0; axis < 3; ++axis) {
        exact_set_double(mover->a, oracle_grid_corner(to, axis, 0), mover->scale + mover->matrix_scale);
        exact_set_double(mover->b, oracle_grid_corner(to, axis, 1u << to->level),
                         mover->scale + mover->matrix_scale);
        for (size_t i = 0; i < mover->piece_count; ++i)
            leaves |= mpz_cmp(mover->pieces[i].low[axis], mover->a) < 0 ||
                      mpz_cmp(mover->pieces[i].high[axis], mover->b) > 0;
    }
    return leaves;
}

static void mover_begin(Mover *mover)
{
    mpz_inits(mover->a, mover->b, mover->determinant, NULL);
    for (int i = 0; i < 3; ++i) {
        mpz_init(mover->shift[i]);
        for (int j = 0; j < 3; ++j)
            mpz_inits(mover->matrix[i][j], mover->adjugate[i][j], mover->edges[i][j], NULL);
    }
    exact_polygon_init(&mover->polygons[0]);
    exact_polygon_init(&mover->polygons[1]);
    piece_init(&mover->target);
}

static void mover_end(Mover *mover)
{
    for (size_t i = 0; i < mover->piece_count; ++i)
        piece_clear(&mover->pieces[i]);
    free(mover->pieces);
    free(mover->rows);
    for (int i = 0; i < 3; ++i) {
        mpz_clear(mover->shift[i]);
        for (int j = 0; j < 3; ++j)
            mpz_clears(mover->matrix[i][j], mover->adjugate[i][j], mover->edges[i][j], NULL);
    }
    mpz_clears(mover->a, mover->b, mover->determinant, NULL);
    piece_clear(&mover->target);
    exact_polygon_clear(&mover->polygons[0]);
    exact_polygon_clear(&mover->polygons[1]);
}

bool oracle_voxels_move(const OracleMove *move, uint8_t *black)
{
    Mover mover = {.move = move};
    uint32_t edge = 1u << move->to.level;
    mover_begin(&mover);
    set_scales(&mover);
    read_transform(&mover, &move->transform);
    make_pieces(&mover);
    for (uint32_t voxel = 0; voxel < edge * edge * edge; ++voxel) {
        load_target(&mover, (uint32_t[3]){voxel / edge / edge, voxel / edge % edge, voxel % edge});
        bool is_black = false;
        if (move->rule == IMP_MOVE_CENTRE)
            is_black = center_is_held(&mover);
        else
            for (size_t i = 0; i < mover.piece_count && !is_black; ++i)
                is_black =
                    pieces_meet(&mover, &mover.pieces[i], &mover.target, move->rule == IMP_MOVE_OVERLAP);
        black[voxel] = is_black;
    }
    bool leaves = leaves_grid(&mover);
    mover_end(&mover);
    return leaves;
}

// ---- two boxes

static void set_scales_of_boxes(Mover *mover, const OracleBoxes *boxes)
{
    mover->matrix_scale = exact_scale_of(&boxes->transform.rows[0][0], 9);
    int scale = exact_scale_of(&boxes->transform.translation.x, 3) - mover->matrix_scale;
    scale = larger(scale, exact_scale_of(&boxes->target[0][0][0], 12) - mover->matrix_scale);
    mover->scale = larger(scale, exact_scale_of(&boxes->source[0][0], 6)) + 1;
}

OracleMeeting oracle_boxes_meet(const OracleBoxes *boxes)
{
    Mover mover = {.move = NULL};
    Piece source;
    OracleMeeting meeting = {.holds = true};
    mover_begin(&mover);
    piece_init(&source);
    set_scales_of_boxes(&mover, boxes);
    read_transform(&mover, &boxes->transform);
    for (int i = 0; i < 8; ++i) {
        double corner[3];
        for (int axis = 0; axis < 3; ++axis) {
            const double *halves = boxes->target[i >> axis & 1][axis];
            mpz_t *number = &mover.target.corners[i].v[axis];
            corner[axis] = boxes->source[i >> axis & 1][axis];
            exact_set_double(mover.a, halves[0], mover.scale + mover.matrix_scale);
            exact_set_double(mover.b, halves[1], mover.scale + mover.matrix_scale);
            mpz_add(*number, mover.a, mover.b);
            mpz_divexact_ui(*number, *number, 2);
        }
        mpz_set_ui(mover.target.corners[i].v[3], 1);
        move_point(&mover, corner, &source.corners[i]);
    }
    finish_piece(&mover, &source);
    finish_upright(&mover.target);
    meeting.has_point = pieces_meet(&mover, &source, &mover.target, false);
    meeting.has_volume = pieces_meet(&mover, &source, &mover.target, true);
    for (int i = 0; i < 48; ++i)
        meeting.holds &= exact_side(&source.spaces[i / 8], &mover.target.corners[i % 8]) >= 0;
    piece_clear(&source);
    mover_end(&mover);
    return meeting;
}
