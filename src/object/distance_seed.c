#include "object/distance_seed.h"

#include "geom/pose.h"
#include "geom/scalar.h"
#include "geom/vector.h"

#include <float.h>

#define STEPS 6

typedef struct NearestVertex {
    imp_Vec3 point; // in the world
    imp_Vec3 in_frame;
    imp_Vec3 vertex;
    double square; // in the frame
} NearestVertex;

static void look_at_vertices(double scale, const impi_PosedBlock *posed, unsigned count,
                             NearestVertex *nearest)
{
    imp_Vec3 point = impi_scale(nearest->point, scale);
    for (unsigned i = 0; i < count; ++i) {
        imp_Vec3 way = impi_subtract(impi_scale(posed->vertices[i], scale), point);
        double square = impi_dot(way, way);
        if (square < nearest->square) {
            nearest->square = square;
            nearest->vertex = posed->vertices[i];
        }
    }
}

static void visit_group(impi_DistanceWorker *worker, int side, unsigned level, size_t group,
                        NearestVertex *nearest)
{
    const impi_DistanceSearch *search = worker->search;
    double squares[IMPI_GROUP_SIZE];
    search->boxes->point_squares(&search->sides[side].tree.levels[level][group], nearest->in_frame, squares);
    for (unsigned done = 0; done < IMPI_GROUP_SIZE; ++done) {
        size_t least = 0;
        for (size_t i = 1; i < IMPI_GROUP_SIZE; ++i)
            least = squares[i] < squares[least] ? i : least;
        if (!(squares[least] < nearest->square))
            return;
        squares[least] = INFINITY;
        uint32_t child = (uint32_t)(group * IMPI_GROUP_SIZE + least);
        if (level > 0)
            visit_group(worker, side, level - 1, child, nearest);
        else
            look_at_vertices(search->frame.scale, impi_distance_worker_pose(worker, side, child),
                             impi_side_block(&search->sides[side], child)->vertex_count, nearest);
    }
}

static NearestVertex find_nearest(impi_DistanceWorker *worker, int side, imp_Vec3 point)
{
    NearestVertex nearest = {point, impi_distance_frame_map(&worker->search->frame, point), point, INFINITY};
    visit_group(worker, side, worker->search->sides[side].tree.level_count - 1, 0, &nearest);
    return nearest;
}

static double finite(double value)
{
    return impi_smaller(impi_larger(value, -DBL_MAX), DBL_MAX);
}

// The middle of a box may be posed beyond the largest double, though no vertex is.
imp_Vec3 impi_posed_centre(const impi_Body *body)
{
    const imp_Box *bounds = &body->shape->bounds;
    imp_Vec3 centre = {0.5 * bounds->min.x + 0.5 * bounds->max.x, 0.5 * bounds->min.y + 0.5 * bounds->max.y,
                       0.5 * bounds->min.z + 0.5 * bounds->max.z};
    imp_Vec3 posed = impi_pose_vertex(&body->transform, &centre);
    return (imp_Vec3){finite(posed.x), finite(posed.y), finite(posed.z)};
}

// Both are vertices; the length is off by a few roundings, of subnormals too.
static void take_bound(impi_DistanceSearch *search, imp_Vec3 a, imp_Vec3 b)
{
    imp_Vec3 way = impi_subtract(b, a);
    if (impi_search_lower_bound(search, impi_length(way) * (1 + 0x1p-48) + 2 * DBL_TRUE_MIN)) {
        search->way = way;
        search->origin = a;
    }
}

// From the middle of one body to the other's nearest vertex first.
static void go_back_and_forth(impi_DistanceWorker *worker, int side)
{
    imp_Vec3 from = impi_posed_centre(worker->search->sides[1 - side].body);
    double last = INFINITY;
    for (int step = 0; step < STEPS; ++step, side = 1 - side) {
        NearestVertex nearest = find_nearest(worker, side, from);
        if (!(nearest.square < last))
            return;
        if (step > 0) {
            last = nearest.square;
            take_bound(worker->search, side ? from : nearest.vertex, side ? nearest.vertex : from);
        }
        from = nearest.vertex;
    }
}

void impi_distance_seed(impi_DistanceWorker *worker)
{
    go_back_and_forth(worker, 0);
    go_back_and_forth(worker, 1);
}
