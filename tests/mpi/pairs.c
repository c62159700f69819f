// imp_mpi_pairs_find as a program calls it: run by mpirun, each rank with boxes of its own.
#include "harness.h"

#include <impinge/impinge.h>
#include <impinge/mpi.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BOXES_PER_RANK 2000

static int rank, rank_count;

static void end_mpi(void)
{
    MPI_Finalize();
}

__attribute__((constructor)) static void begin_mpi(void)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
    atexit(end_mpi);
}

// The boxes of all ranks, the same on each: cubes of side 1 that overlap some others.
static float *make_boxes(size_t count)
{
    float *rows = malloc(count * 6 * sizeof *rows), world = 2 * cbrtf((float)count);
    for (size_t i = 0; rows && i < count; ++i)
        for (size_t k = 0; k < 3; ++k) {
            rows[6 * i + k] = (float)test_random_unit() * world;
            rows[6 * i + 3 + k] = rows[6 * i + k] + 1;
        }
    return rows;
}

static imp_BoxArray own_boxes(const float *rows)
{
    return (imp_BoxArray){.float_boxes = rows + (size_t)rank * BOXES_PER_RANK * 6, .count = BOXES_PER_RANK};
}

TEST(stretches_are_those_of_one_list)
{
    size_t count = (size_t)rank_count * BOXES_PER_RANK;
    float *rows = make_boxes(count);
    imp_Context *context, *alone;
    const imp_IndexPair *want;
    size_t want_count;
    imp_RankPairs found, counted;
    imp_BoxArray own = own_boxes(rows);
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    CHECK_INT(imp_context_create(NULL, &alone), IMP_STATUS_OK);
    CHECK_INT(imp_pairs_list(alone, &(imp_BoxArray){.float_boxes = rows, .count = count}, &want, &want_count),
              IMP_STATUS_OK);
    CHECK(want_count > 0);
    CHECK_INT(imp_mpi_pairs_find(MPI_COMM_WORLD, context, &own, &(imp_RankDef){.count_only = true}, &counted),
              IMP_STATUS_OK);
    CHECK_INT((int64_t)counted.total, (int64_t)want_count);
    CHECK_INT(imp_mpi_pairs_find(MPI_COMM_WORLD, context, &own, NULL, &found), IMP_STATUS_OK);
    CHECK_INT((int64_t)found.total, (int64_t)want_count);
    if (CHECK(found.first + found.count <= want_count))
        CHECK(memcmp(found.pairs, want + found.first, found.count * sizeof *want) == 0);
    unsigned long long sum = found.count;
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    CHECK_INT((int64_t)sum, (int64_t)want_count);
    imp_context_destroy(alone);
    imp_context_destroy(context);
    free(rows);
}

TEST(what_is_wrong_on_one_rank_is_told_on_all)
{
    float *rows = make_boxes((size_t)rank_count * BOXES_PER_RANK);
    imp_Context *context;
    imp_RankPairs found = {.total = 77};
    imp_BoxArray own = own_boxes(rows);
    size_t bad = (size_t)rank_count * BOXES_PER_RANK - 3;
    CHECK_INT(imp_context_create(NULL, &context), IMP_STATUS_OK);
    rows[6 * bad + 1] = NAN;
    CHECK_INT(imp_mpi_pairs_find(MPI_COMM_WORLD, context, &own, NULL, &found), IMP_STATUS_BAD_NUMBER);
    CHECK_INT((int64_t)imp_context_get_error(context)->index, (int64_t)bad);
    CHECK_INT(imp_mpi_pairs_find(MPI_COMM_WORLD, context, &own, NULL, rank == 0 ? NULL : &found),
              IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(imp_mpi_pairs_find(MPI_COMM_WORLD, rank == 0 ? context : NULL, &own, NULL, &found),
              IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT((int64_t)found.total, 77);
    imp_context_destroy(context);
    free(rows);
}
