#include "check_distance_output.h"

#include "kit/text_table.h"

#include <impinge/mesh.h>

#include <stdio.h>

#define MAX_NUMBER     32
#define DISTANCE_WIDTH 16

// ---- CSV

static void put_csv(const CheckScene *scene, const CheckDistances *distances, impi_Text *output)
{
    const impi_Motion motion = check_motion(scene);
    impi_text_put(output, DISTANCE_COLUMNS "\n");
    for (size_t i = 0; i < distances->count; ++i) {
        distance_put_csv(&motion, &distances->lines[i], output);
        impi_text_put(output, "\n");
    }
}

// ---- JSON

static void put_json_limit(impi_JsonWriter *json, const char *key, bool is_asked, double limit)
{
    impi_json_put_key(json, key);
    if (is_asked)
        impi_json_put_double(json, limit);
    else
        impi_json_put_null(json);
}

static void put_json(const CheckScene *scene, const CheckDistances *distances, double touch_depth,
                     impi_Text *output)
{
    const CheckDistanceDef *def = &distances->def;
    const impi_Motion motion = check_motion(scene);
    impi_JsonWriter json = impi_json_begin_document(output, CHECK_SCHEMA_VERSION);
    check_put_json_files(&json, scene);
    put_json_limit(&json, "max_distance", def->asks_max, def->limit);
    put_json_limit(&json, "clearance", def->asks_clearance && def->has_limit, def->limit);
    put_json_limit(&json, "touch_depth", true, touch_depth);
    impi_json_put_key(&json, "distances");
    impi_json_begin_array(&json);
    for (size_t i = 0; i < distances->count; ++i) {
        impi_json_begin_object(&json);
        distance_put_json(&motion, &distances->lines[i], &json);
        impi_json_end_object(&json);
    }
    impi_json_end_array(&json);
    check_put_json_containers(&json, scene);
    impi_json_end_document(&json);
}

// ---- the table

static void put_face(const imp_SurfacePoint *point, impi_Text *output)
{
    if (point->face == IMP_NO_FACE)
        impi_text_put_right(output, "", 11);
    else
        impi_text_put_number(output, point->face, 11);
}

static void put_point(const imp_Distance *distance, const imp_SurfacePoint *point, impi_Text *output)
{
    if (distance_has_point(distance, point))
        impi_text_printf(output, "  (%.6g %.6g %.6g)", point->position.x, point->position.y,
                         point->position.z);
}

static void put_line(const DistanceLine *line, const PairTable *table, impi_Text *output)
{
    const imp_Distance *distance = &line->distance;
    char number[MAX_NUMBER];
    snprintf(number, sizeof number, "%.9g", distance->distance);
    pair_table_put(table, line->body_a, line->relation, line->body_b, output);
    impi_text_put_right(output, number, DISTANCE_WIDTH);
    put_face(&distance->a, output);
    put_face(&distance->b, output);
    put_point(distance, &distance->a, output);
    if (!distance->touch) // otherwise it is the same point
        put_point(distance, &distance->b, output);
    impi_text_put(output, "\n");
}

// Points reach beyond most terminals anyway: names are shortened for the distance alone.
static void put_lines(const CheckDistances *distances, BodyTable *bodies, impi_Text *output)
{
    PairTable table = pair_table_begin(bodies, true, DISTANCE_WIDTH);
    for (size_t i = 0; i < distances->count; ++i)
        pair_table_announce(&table, distances->lines[i].body_a, distances->lines[i].relation,
                            distances->lines[i].body_b);
    pair_table_fit(&table);
    body_table_put(bodies, output);
    if (distances->count) {
        pair_table_begin_heading(&table, output);
        impi_text_put(output, "        distance  face of a  face of b  closest points: of a, of b");
        pair_table_end_heading(&table, output);
    }
    for (size_t i = 0; i < distances->count; ++i)
        put_line(&distances->lines[i], &table, output);
}

static void put_nearest(const CheckScene *scene, const CheckDistances *distances, impi_Text *output)
{
    const impi_Motion motion = check_motion(scene);
    const DistanceLine *nearest = &distances->lines[0];
    for (size_t i = 1; i < distances->count; ++i)
        if (distances->lines[i].distance.distance < nearest->distance.distance)
            nearest = &distances->lines[i];
    impi_text_printf(output, "Pairs of bodies: %zu. The nearest are ", distances->count);
    body_put_name(&motion, nearest->body_a, output);
    impi_text_put(output, " and ");
    body_put_name(&motion, nearest->body_b, output);
    impi_text_printf(output, ", %.9g apart.\n", nearest->distance.distance);
}

// What lies inside of something and is too far from its surface to be near. Both lists are sorted.
static size_t count_deep_inside(const impi_PlayedFrame *found)
{
    size_t count = 0, next = 0;
    for (size_t i = 0; i < found->pair_count; ++i) {
        const impi_PlayedPair *pair = &found->pairs[i];
        while (next < found->near_pair_count && (found->near_pairs[next].body_a < pair->body_a ||
                                                 (found->near_pairs[next].body_a == pair->body_a &&
                                                  found->near_pairs[next].body_b < pair->body_b)))
            ++next;
        count += next == found->near_pair_count || found->near_pairs[next].body_a != pair->body_a ||
                 found->near_pairs[next].body_b != pair->body_b;
    }
    return count;
}

static void put_near_count(const CheckScene *scene, const CheckDistances *distances, impi_Text *output)
{
    size_t n = scene->body_count, deep = count_deep_inside(&scene->found);
    if (distances->def.has_limit && !distances->def.rules_tell) {
        impi_text_put(output, "Pairs of bodies at most ");
        impi_text_put_double(output, distances->def.limit);
        impi_text_put(output, " apart");
    } else {
        impi_text_put(output, "Pairs of bodies nearer than they shall be");
    }
    impi_text_printf(output, ": %zu of %zu.\n", scene->found.near_pair_count, n * (n - 1) / 2);
    if (deep)
        impi_text_printf(output,
                         "Pairs of which one is inside of the other, farther from its surface: %zu.\n", deep);
}

static void put_conclusion(const CheckScene *scene, const CheckDistances *distances, impi_Text *output)
{
    size_t blurred = 0;
    impi_text_put(output, "\n");
    check_put_hulls(scene, output);
    if (distances->def.asks_max || distances->def.asks_clearance)
        put_near_count(scene, distances, output);
    else
        put_nearest(scene, distances, output);
    for (size_t i = 0; i < distances->count; ++i)
        blurred += !distances->lines[i].distance.reached_accuracy;
    if (blurred)
        impi_text_printf(output, "Distances known to less than a millionth: %zu; --csv tells their bounds.\n",
                         blurred);
}

static void put_table(const CheckScene *scene, const CheckDistances *distances, const CheckListing *listing,
                      impi_Text *output)
{
    const impi_Motion motion = check_motion(scene);
    BodyTable bodies;
    check_begin_bodies(&motion, &bodies, output);
    put_lines(distances, &bodies, output);
    check_put_containers(scene, output);
    put_conclusion(scene, distances, output);
    if (listing->written && distances->count > 0)
        impi_text_printf(output, "%s\n", listing->written);
    body_table_free(&bodies);
}

void check_put_distances(const CheckScene *scene, const CheckDistances *distances,
                         const CheckContacts *contacts, const CheckListing *listing, impi_Text *output)
{
    switch (listing->format) {
    case CHECK_TABLE:
        put_table(scene, distances, listing, output);
        break;
    case CHECK_CSV:
    case CHECK_PAIRS_CSV:
        put_csv(scene, distances, output);
        check_remark_on_containers(scene);
        break;
    case CHECK_JSON:
        put_json(scene, distances, contacts->touch_depth, output);
        break;
    }
}
