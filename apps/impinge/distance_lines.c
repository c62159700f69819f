#include "distance_lines.h"

#include <impinge/mesh.h>

#include <math.h>

Relation distance_relation(const imp_Distance *distance, bool overlaps, bool is_near)
{
    if (distance->touch)
        return overlaps ? RELATION_OVERLAP : RELATION_TOUCH;
    if (distance->a_inside_b && distance->b_inside_a)
        return RELATION_BOTH_INSIDE;
    if (distance->a_inside_b || distance->b_inside_a)
        return distance->a_inside_b ? RELATION_A_INSIDE_B : RELATION_B_INSIDE_A;
    return is_near ? RELATION_CLEARANCE : RELATION_APART;
}

bool distance_has_point(const imp_Distance *distance, const imp_SurfacePoint *point)
{
    return distance->touch || point->face != IMP_NO_FACE;
}

// ---- CSV

// Distances beyond the largest double are infinite.
static void put_number(impi_Text *output, double number)
{
    if (isfinite(number))
        impi_text_put_double(output, number);
    else
        impi_text_put(output, "inf");
    impi_text_put(output, ",");
}

static void put_point(impi_Text *output, const imp_Distance *distance, const imp_SurfacePoint *point)
{
    if (!distance_has_point(distance, point)) {
        impi_text_put(output, ",,,");
        return;
    }
    put_number(output, point->position.x);
    put_number(output, point->position.y);
    put_number(output, point->position.z);
}

static void put_face(impi_Text *output, const imp_SurfacePoint *point)
{
    if (point->face != IMP_NO_FACE)
        impi_text_put_integer(output, point->face);
    impi_text_put(output, ",");
}

void distance_put_csv(const impi_Motion *motion, const DistanceLine *line, impi_Text *output)
{
    const imp_Distance *distance = &line->distance;
    impi_text_printf(output, "%u,%u,", line->body_a, line->body_b);
    put_number(output, distance->distance);
    put_number(output, distance->lower_bound);
    put_point(output, distance, &distance->a);
    put_point(output, distance, &distance->b);
    put_face(output, &distance->a);
    put_face(output, &distance->b);
    impi_text_put(output, relation_name(line->relation));
    pair_put_csv_names(motion, line->body_a, line->body_b, output);
}

// ---- JSON

static void put_json_number(impi_JsonWriter *json, const char *key, double number)
{
    impi_json_put_key(json, key);
    impi_json_put_double(json, number);
}

const char *feature_name(imp_Feature feature)
{
    return feature == IMP_FEATURE_VERTEX ? "vertex" : feature == IMP_FEATURE_EDGE ? "edge" : "face";
}

// "a": where, on which face, and on what of it.
static void put_json_point(impi_JsonWriter *json, const char *key, const imp_Distance *distance,
                           const imp_SurfacePoint *point)
{
    impi_json_put_key(json, key);
    if (!distance_has_point(distance, point)) {
        impi_json_put_null(json);
        return;
    }
    impi_json_begin_object(json);
    impi_json_put_key(json, "point");
    impi_json_begin_inline_array(json);
    impi_json_put_double(json, point->position.x);
    impi_json_put_double(json, point->position.y);
    impi_json_put_double(json, point->position.z);
    impi_json_end_array(json);
    impi_json_put_key(json, "face");
    if (point->face == IMP_NO_FACE) {
        impi_json_put_null(json);
    } else {
        impi_json_put_integer(json, point->face);
        impi_json_put_key(json, "feature");
        impi_json_put_string(json, feature_name(point->feature));
        if (point->feature != IMP_FEATURE_FACE) {
            impi_json_put_key(json, "corner");
            impi_json_put_integer(json, point->corner);
        }
    }
    impi_json_end_object(json);
}

void distance_put_json(const impi_Motion *motion, const DistanceLine *line, impi_JsonWriter *json)
{
    pair_put_json(motion, line->body_a, line->body_b, json);
    impi_json_put_key(json, "relation");
    impi_json_put_string(json, relation_name(line->relation));
    put_json_number(json, "distance", line->distance.distance);
    put_json_number(json, "lower_bound", line->distance.lower_bound);
    impi_json_put_key(json, "reached_accuracy");
    impi_json_put_bool(json, line->distance.reached_accuracy);
    put_json_point(json, "a", &line->distance, &line->distance.a);
    put_json_point(json, "b", &line->distance, &line->distance.b);
}
