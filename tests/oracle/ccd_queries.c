// Each line has three fractions and the verdict: x numerator, x denominator, y, ..., hit. Eight lines make a
// query.
#include "ccd_queries.h"

#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_LINE    4096
#define FILE_COUNT  2
#define POINT_COUNT 8

static const char *const folders[] = {"erleben-cube-cliff-edges", "erleben-sliding-spike",
                                      "erleben-spike-wedge", "erleben-spikes", "unit-tests"};
static const char *const feature_folders[SWEEP_FEATURES_COUNT] = {"vertex-face", "edge-edge"};

// The next field of a line, cut off at its comma or line end; null when there is none.
static char *next_field(char **rest)
{
    char *field = *rest;
    if (*field == '\0')
        return NULL;
    char *end = field + strcspn(field, ",\r\n");
    *rest = *end == ',' ? end + 1 : end + strlen(end);
    *end = '\0';
    return field;
}

// One fraction. `*is_double` becomes false when no double has this value.
static bool read_fraction(char **rest, double *value, bool *is_double)
{
    char *numerator = next_field(rest), *denominator = numerator ? next_field(rest) : NULL;
    if (!denominator)
        return false;
    mpq_t fraction, nearest;
    mpq_inits(fraction, nearest, NULL);
    bool ok = mpz_set_str(mpq_numref(fraction), numerator, 10) == 0 &&
              mpz_set_str(mpq_denref(fraction), denominator, 10) == 0 && mpz_sgn(mpq_denref(fraction)) > 0;
    if (ok) {
        mpq_canonicalize(fraction);
        *value = mpq_get_d(fraction);
        mpq_set_d(nearest, *value);
        *is_double = *is_double && mpq_equal(fraction, nearest);
    }
    mpq_clears(fraction, nearest, NULL);
    return ok;
}

static bool read_line(char *line, imp_Vec3 *point, bool *is_hit, bool *is_double)
{
    char *rest = line;
    if (!read_fraction(&rest, &point->x, is_double) || !read_fraction(&rest, &point->y, is_double) ||
        !read_fraction(&rest, &point->z, is_double))
        return false;
    const char *verdict = next_field(&rest);
    if (!verdict || (strcmp(verdict, "0") != 0 && strcmp(verdict, "1") != 0))
        return false;
    *is_hit = verdict[0] == '1';
    return *rest == '\0';
}

typedef enum ReadResult { READ_QUERY, READ_NOT_DOUBLE, READ_END, READ_MALFORMED } ReadResult;

static ReadResult read_query(FILE *file, CcdQuery *query)
{
    char line[MAX_LINE];
    bool is_double = true;
    for (int i = 0; i < POINT_COUNT; ++i) {
        bool is_hit;
        if (!fgets(line, sizeof line, file))
            return i == 0 && feof(file) ? READ_END : READ_MALFORMED;
        if (!read_line(line, &query->points[i], &is_hit, &is_double) || (i > 0 && is_hit != query->is_hit))
            return READ_MALFORMED;
        query->is_hit = is_hit;
    }
    return is_double ? READ_QUERY : READ_NOT_DOUBLE;
}

static void append(CcdQueries *queries, const CcdQuery *query)
{
    if ((queries->count & (queries->count - 1)) == 0) { // a power of two: full
        size_t capacity = queries->count ? 2 * queries->count : 1;
        CcdQuery *grown = realloc(queries->queries, capacity * sizeof *grown);
        if (!grown)
            abort();
        queries->queries = grown;
    }
    queries->queries[queries->count++] = *query;
}

static void read_file(CcdQueries *queries, const char *path, CcdQuery query)
{
    FILE *file = fopen(path, "r");
    ReadResult result = READ_MALFORMED;
    for (query.number = 0; file; ++query.number) {
        result = read_query(file, &query);
        if (result == READ_QUERY)
            append(queries, &query);
        else if (result == READ_NOT_DOUBLE)
            ++queries->not_double_count;
        else
            break;
    }
    queries->malformed_count += result != READ_END;
    if (file)
        (void)fclose(file);
}

bool ccd_queries_load(const char *dir, CcdQueries *queries)
{
    char path[1024];
    struct stat info;
    *queries = (CcdQueries){0};
    (void)snprintf(path, sizeof path, "%s/ccd", dir);
    if (stat(path, &info) != 0)
        return false;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i)
        for (int features = 0; features < SWEEP_FEATURES_COUNT; ++features)
            for (int file = 0; file < FILE_COUNT; ++file) {
                (void)snprintf(path, sizeof path, "%s/ccd/%s/%s/data_0_%d.csv", dir, folders[i],
                               feature_folders[features], file);
                read_file(queries, path,
                          (CcdQuery){.features = features, .folder = folders[i], .file = file});
            }
    return true;
}

void ccd_queries_release(CcdQueries *queries)
{
    free(queries->queries);
    *queries = (CcdQueries){0};
}
