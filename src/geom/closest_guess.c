// The nearest points lie on two edges or on a vertex and a face. For two edges: Ericson, "Real-Time Collision
// Detection" (2005), 5.1.9, where the ends of edges are vertices.
#include "geom/closest_guess.h"

#include "geom/scalar.h"
#include "geom/vector.h"

// Of sizes between these, products of six coordinates neither overflow nor vanish.
#define LEAST_EXTENT 0x1p-150
#define MOST_EXTENT  0x1p150
// Coordinates up to this size have differences that are finite.
#define MOST_COORDINATE 0x1p1000

typedef struct Best {
    double square;
    impi_ClosestGuess *guess;
} Best;

// Not a number becomes 0.
static double clamp_weight(double weight)
{
    return impi_smaller(impi_larger(weight, 0), 1);
}

static double largest_size(const imp_Vec3 *points)
{
    double largest = 0;
    for (int i = 0; i < 6; ++i)
        largest = impi_larger(impi_longest(points[i]), largest);
    return largest;
}

static void scale_all(impi_ClosestGuess *guess, double factor)
{
    guess->scale *= factor;
    for (int i = 0; i < 6; ++i)
        guess->vertices[i] = impi_scale(guess->vertices[i], factor);
}

static void choose_frame(const imp_Triangle *a, const imp_Triangle *b, impi_ClosestGuess *guess)
{
    for (int i = 0; i < 3; ++i) {
        guess->vertices[i] = a->v[i];
        guess->vertices[i + 3] = b->v[i];
    }
    guess->scale = 1;
    if (largest_size(guess->vertices) > MOST_COORDINATE)
        scale_all(guess, 0x1p-100);
    imp_Vec3 origin = guess->vertices[0];
    for (int i = 0; i < 6; ++i)
        guess->vertices[i] = impi_subtract(guess->vertices[i], origin);
    guess->extent = largest_size(guess->vertices);
    for (int i = 0; i < 4 && guess->extent > 0; ++i) {
        if (guess->extent >= LEAST_EXTENT && guess->extent <= MOST_EXTENT)
            break;
        scale_all(guess, guess->extent < LEAST_EXTENT ? 0x1p250 : 0x1p-250);
        guess->extent = largest_size(guess->vertices);
    }
}

// ------------------------------------------------------------------------------------------- edges

static impi_Part part_of_edge(int corner, double weight)
{
    if (weight > 0 && weight < 1)
        return (impi_Part){IMP_FEATURE_EDGE, corner};
    return (impi_Part){IMP_FEATURE_VERTEX, weight > 0 ? (corner + 1) % 3 : corner};
}

typedef struct Edges {
    imp_Vec3 along[3];
    double square[3];
} Edges;

static Edges edges_of(const imp_Vec3 *vertices)
{
    Edges edges;
    for (int i = 0; i < 3; ++i) {
        edges.along[i] = impi_subtract(vertices[(i + 1) % 3], vertices[i]);
        edges.square[i] = impi_dot(edges.along[i], edges.along[i]);
    }
    return edges;
}

#define EDGE_PAIRS 9

// All pairs of edges, an array for each quantity, so that the loop below is one of vectors.
typedef struct EdgePairs {
    double ex[EDGE_PAIRS], ey[EDGE_PAIRS], ez[EDGE_PAIRS], ee[EDGE_PAIRS]; // of a
    double fx[EDGE_PAIRS], fy[EDGE_PAIRS], fz[EDGE_PAIRS], ff[EDGE_PAIRS]; // of b
    double rx[EDGE_PAIRS], ry[EDGE_PAIRS], rz[EDGE_PAIRS];                 // from where b's begins
    double s[EDGE_PAIRS], t[EDGE_PAIRS], square[EDGE_PAIRS];               // weights, and how far
} EdgePairs;

static void list_edge_pairs(const impi_ClosestGuess *guess, const Edges *a, const Edges *b, EdgePairs *pairs)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            int k = 3 * i + j;
            imp_Vec3 r = impi_subtract(guess->vertices[i], guess->vertices[3 + j]);
            pairs->ex[k] = a->along[i].x;
            pairs->ey[k] = a->along[i].y;
            pairs->ez[k] = a->along[i].z;
            pairs->ee[k] = a->square[i];
            pairs->fx[k] = b->along[j].x;
            pairs->fy[k] = b->along[j].y;
            pairs->fz[k] = b->along[j].z;
            pairs->ff[k] = b->square[j];
            pairs->rx[k] = r.x;
            pairs->ry[k] = r.y;
            pairs->rz[k] = r.z;
        }
    }
}

// Departs from Ericson: the first weight is found again from the second one, whether that was clamped or not,
// so that there are no branches. Where edges are parallel the first try is of no consequence.
static void measure_edge_pairs(EdgePairs *p)
{
    for (int k = 0; k < EDGE_PAIRS; ++k) {
        double ef = (p->ex[k] * p->fx[k] + p->ey[k] * p->fy[k]) + p->ez[k] * p->fz[k];
        double er = (p->ex[k] * p->rx[k] + p->ey[k] * p->ry[k]) + p->ez[k] * p->rz[k];
        double fr = (p->fx[k] * p->rx[k] + p->fy[k] * p->ry[k]) + p->fz[k] * p->rz[k];
        double s = clamp_weight((ef * fr - p->ff[k] * er) / (p->ee[k] * p->ff[k] - ef * ef));
        double t = clamp_weight((ef * s + fr) / p->ff[k]);
        s = clamp_weight((ef * t - er) / p->ee[k]);
        double x = (p->rx[k] + s * p->ex[k]) - t * p->fx[k];
        double y = (p->ry[k] + s * p->ey[k]) - t * p->fy[k];
        double z = (p->rz[k] + s * p->ez[k]) - t * p->fz[k];
        p->s[k] = s;
        p->t[k] = t;
        p->square[k] = (x * x + y * y) + z * z;
    }
}

static void try_edges(Best *best, const Edges *edges_a, const Edges *edges_b)
{
    EdgePairs pairs;
    impi_ClosestGuess *guess = best->guess;
    list_edge_pairs(guess, edges_a, edges_b, &pairs);
    measure_edge_pairs(&pairs);
    int least = 0;
    for (int k = 1; k < EDGE_PAIRS; ++k)
        least = pairs.square[k] < pairs.square[least] ? k : least;
    int i = least / 3, j = least % 3;
    double s = pairs.s[least], t = pairs.t[least];
    imp_Vec3 e = edges_a->along[i], f = edges_b->along[j];
    imp_Vec3 from_b = impi_subtract(guess->vertices[i], guess->vertices[3 + j]);
    best->square = pairs.square[least];
    guess->parts = (impi_PartPair){{part_of_edge(i, s), part_of_edge(j, t)}};
    guess->from_a_to_b = impi_scale(impi_add_scaled(impi_add_scaled(from_b, s, e), -t, f), -1);
    guess->direction = guess->from_a_to_b;
    if (s > 0 && s < 1 && t > 0 && t < 1) {
        imp_Vec3 across = impi_cross(e, f);
        guess->direction = impi_scale(across, impi_dot(across, guess->from_a_to_b) < 0 ? -1 : 1);
    }
}

// ------------------------------------------------------------------------------------------- faces

// Vertices of one triangle over the face of the other, which is that of a (side 0) or b.
static void try_face(Best *best, const Edges *edges, int side)
{
    impi_ClosestGuess *guess = best->guess;
    imp_Vec3 e = edges->along[0], f = impi_scale(edges->along[2], -1), begin = guess->vertices[3 * side];
    imp_Vec3 normal = impi_cross(e, f);
    imp_Vec3 rise_e = impi_cross(f, normal), rise_f = impi_cross(normal, e);
    double square_of_normal = impi_dot(normal, normal);
    for (int corner = 0; corner < 3; ++corner) {
        imp_Vec3 d = impi_subtract(guess->vertices[3 * (1 - side) + corner], begin);
        double height = impi_dot(normal, d), along_e = impi_dot(rise_e, d), along_f = impi_dot(rise_f, d);
        if (!(along_e > 0 && along_f > 0 && along_e + along_f < square_of_normal))
            continue;
        double square = height * height / square_of_normal;
        if (!(square < best->square))
            continue;
        best->square = square;
        guess->parts.of[side] = (impi_Part){IMP_FEATURE_FACE, 0};
        guess->parts.of[1 - side] = (impi_Part){IMP_FEATURE_VERTEX, corner};
        double weight_e = clamp_weight(along_e / square_of_normal);
        double weight_f = impi_smaller(along_f / square_of_normal, 1 - weight_e);
        imp_Vec3 from_face = impi_add_scaled(impi_add_scaled(d, -weight_e, e), -weight_f, f);
        guess->from_a_to_b = side ? impi_scale(from_face, -1) : from_face;
        guess->direction = impi_scale(normal, (height < 0) == (side != 0) ? 1 : -1);
    }
}

void impi_guess_closest(const imp_Triangle *a, const imp_Triangle *b, impi_ClosestGuess *guess)
{
    choose_frame(a, b, guess);
    Edges edges_a = edges_of(guess->vertices), edges_b = edges_of(guess->vertices + 3);
    Best best = {INFINITY, guess};
    try_edges(&best, &edges_a, &edges_b);
    try_face(&best, &edges_a, 0);
    try_face(&best, &edges_b, 1);
}
