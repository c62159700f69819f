#include "check_contact_output.h"

#include "kit/text_table.h"

#include <stdio.h>

#define MAX_NUMBER  32
#define DEPTH_WIDTH 24

static const char *const rule_names[] = {
    [IMP_NORMAL_CURVE] = "curve", [IMP_NORMAL_FACES] = "faces", [IMP_NORMAL_FACE] = "face",
    [IMP_NORMAL_EDGES] = "edges", [IMP_NORMAL_MEAN] = "mean",   [IMP_NORMAL_CENTRES] = "centres",
    [IMP_NORMAL_ANY] = "any"};

static Relation relation_in(const CheckContacts *contacts, size_t number)
{
    return contacts->overlaps[number] ? RELATION_OVERLAP : RELATION_TOUCH;
}

static uint32_t body_number(imp_BodyId id)
{
    return id.slot - 1; // as in the history
}

// ---- CSV

static void put_csv_vector(impi_Text *output, const imp_Vec3 *v)
{
    const double numbers[] = {v->x, v->y, v->z};
    for (int i = 0; i < 3; ++i) {
        impi_text_put_double(output, numbers[i]);
        impi_text_put(output, ",");
    }
}

static void put_csv_line(const impi_Motion *motion, const CheckContacts *contacts, size_t number,
                         impi_Text *output)
{
    const imp_Contact *contact = &contacts->report->contacts[number];
    impi_text_printf(output, "%u,%u,", body_number(contact->body_a), body_number(contact->body_b));
    if (contact->depth_is_known)
        impi_text_put_double(output, contact->depth);
    impi_text_put(output, ",");
    if (contact->depth_is_known)
        impi_text_put_double(output, contact->depth_lower_bound);
    impi_text_put(output, ",");
    put_csv_vector(output, &contact->normal);
    impi_text_printf(output, "%zu,%u,", contact->face_count, contact->point_count);
    for (uint32_t i = 0; i < IMP_MAX_CONTACT_POINTS; ++i) {
        if (i < contact->point_count)
            put_csv_vector(output, &contact->points[i]);
        else
            impi_text_put(output, ",,,");
    }
    impi_text_put(output, relation_name(relation_in(contacts, number)));
    pair_put_csv_names(motion, body_number(contact->body_a), body_number(contact->body_b), output);
    impi_text_put(output, "\n");
}

static void put_csv(const CheckScene *scene, const CheckContacts *contacts, impi_Text *output)
{
    const impi_Motion motion = check_motion(scene);
    impi_text_put(output, "body_a,body_b,depth,depth_lower_bound,nx,ny,nz,face_pairs,point_count,"
                          "x0,y0,z0,x1,y1,z1,x2,y2,z2,x3,y3,z3,relation" PAIR_NAME_COLUMNS "\n");
    for (size_t i = 0; i < contacts->report->contact_count; ++i)
        put_csv_line(&motion, contacts, i, output);
}

// ---- JSON

static void put_json_integer(impi_JsonWriter *json, const char *key, uint64_t number)
{
    impi_json_put_key(json, key);
    impi_json_put_integer(json, number);
}

static void put_json_vector(impi_JsonWriter *json, const imp_Vec3 *v)
{
    impi_json_begin_inline_array(json);
    impi_json_put_double(json, v->x);
    impi_json_put_double(json, v->y);
    impi_json_put_double(json, v->z);
    impi_json_end_array(json);
}

static void put_json_vectors(impi_JsonWriter *json, const char *key, const imp_Vec3 *vectors, size_t count)
{
    impi_json_put_key(json, key);
    impi_json_begin_array(json);
    for (size_t i = 0; i < count; ++i)
        put_json_vector(json, &vectors[i]);
    impi_json_end_array(json);
}

static void put_json_depth(impi_JsonWriter *json, const char *key, bool is_known, double depth)
{
    impi_json_put_key(json, key);
    if (is_known)
        impi_json_put_double(json, depth);
    else
        impi_json_put_null(json);
}

static void put_json_curves(impi_JsonWriter *json, const imp_Report *report, const imp_Contact *contact)
{
    impi_json_put_key(json, "curves");
    impi_json_begin_array(json);
    for (size_t i = 0; i < contact->polyline_count; ++i) {
        const imp_Polyline *polyline = &report->polylines[contact->first_polyline + i];
        impi_json_begin_object(json);
        impi_json_put_key(json, "is_closed");
        impi_json_put_bool(json, polyline->is_closed);
        put_json_vectors(json, "points", report->curve_points + polyline->first_point, polyline->point_count);
        impi_json_end_object(json);
    }
    impi_json_end_array(json);
}

static void put_json_contact(impi_JsonWriter *json, const impi_Motion *motion, const CheckContacts *contacts,
                             size_t number)
{
    const imp_Contact *contact = &contacts->report->contacts[number];
    impi_json_begin_object(json);
    pair_put_json(motion, body_number(contact->body_a), body_number(contact->body_b), json);
    impi_json_put_key(json, "relation");
    impi_json_put_string(json, relation_name(relation_in(contacts, number)));
    put_json_depth(json, "depth", contact->depth_is_known, contact->depth);
    put_json_depth(json, "depth_lower_bound", contact->depth_is_known, contact->depth_lower_bound);
    impi_json_put_key(json, "normal");
    put_json_vector(json, &contact->normal);
    impi_json_put_key(json, "normal_rule");
    impi_json_put_string(json, rule_names[contact->normal_rule]);
    put_json_integer(json, "face_pair_count", contact->face_count);
    put_json_vectors(json, "points", contact->points, contact->point_count);
    put_json_curves(json, contacts->report, contact);
    impi_json_end_object(json);
}

static void put_json(const CheckScene *scene, const CheckContacts *contacts, impi_Text *output)
{
    const impi_Motion motion = check_motion(scene);
    impi_JsonWriter json = impi_json_begin_document(output, CHECK_SCHEMA_VERSION);
    check_put_json_files(&json, scene);
    impi_json_put_key(&json, "touch_depth");
    impi_json_put_double(&json, contacts->touch_depth);
    check_put_json_pairs(&json, scene);
    impi_json_put_key(&json, "contacts");
    impi_json_begin_array(&json);
    for (size_t i = 0; i < contacts->report->contact_count; ++i)
        put_json_contact(&json, &motion, contacts, i);
    impi_json_end_array(&json);
    check_put_json_containers(&json, scene);
    impi_json_end_document(&json);
}

// ---- the table

static void put_depth(const imp_Contact *contact, impi_Text *output)
{
    char text[2 * MAX_NUMBER] = "unknown";
    if (contact->depth_is_known && contact->depth == 0)
        snprintf(text, sizeof text, "0");
    else if (contact->depth_is_known)
        snprintf(text, sizeof text, "%.5g to %.5g", contact->depth_lower_bound, contact->depth);
    impi_text_put_right(output, text, DEPTH_WIDTH);
}

static void put_vector(const imp_Vec3 *v, impi_Text *output)
{
    // Adding 0 takes the sign from a zero.
    impi_text_printf(output, "  (%.6g %.6g %.6g)", v->x + 0, v->y + 0, v->z + 0);
}

static void put_line(const CheckContacts *contacts, size_t number, const PairTable *table, impi_Text *output)
{
    const imp_Contact *contact = &contacts->report->contacts[number];
    pair_table_put(table, body_number(contact->body_a), relation_in(contacts, number),
                   body_number(contact->body_b), output);
    put_depth(contact, output);
    impi_text_put_number(output, contact->face_count, 12);
    put_vector(&contact->normal, output);
    for (uint32_t i = 0; i < contact->point_count; ++i)
        put_vector(&contact->points[i], output);
    impi_text_put(output, "\n");
}

// Points reach beyond most terminals anyway: names are shortened for the depth alone.
static void put_lines(const CheckContacts *contacts, BodyTable *bodies, impi_Text *output)
{
    const imp_Report *report = contacts->report;
    PairTable table = pair_table_begin(bodies, true, DEPTH_WIDTH);
    for (size_t i = 0; i < report->contact_count; ++i)
        pair_table_announce(&table, body_number(report->contacts[i].body_a), relation_in(contacts, i),
                            body_number(report->contacts[i].body_b));
    pair_table_fit(&table);
    body_table_put(bodies, output);
    if (report->contact_count) {
        pair_table_begin_heading(&table, output);
        impi_text_put(output, "                   depth  face pairs  normal, points");
        pair_table_end_heading(&table, output);
    }
    for (size_t i = 0; i < report->contact_count; ++i)
        put_line(contacts, i, &table, output);
}

static void put_table(const CheckScene *scene, const CheckContacts *contacts, const CheckListing *listing,
                      impi_Text *output)
{
    size_t n = scene->body_count;
    const impi_Motion motion = check_motion(scene);
    BodyTable bodies;
    check_begin_bodies(&motion, &bodies, output);
    put_lines(contacts, &bodies, output);
    check_put_containers(scene, output);
    impi_text_put(output, "\n");
    check_put_hulls(scene, output);
    impi_text_printf(output, "Pairs of bodies that meet: %zu of %zu. Regions in which they touch: %zu.\n",
                     scene->found.pair_count, n * (n - 1) / 2, contacts->report->contact_count);
    if (listing->written && scene->found.face_pair_count > 0)
        impi_text_printf(output, "%s\n", listing->written);
    body_table_free(&bodies);
}

void check_put_contacts(const CheckScene *scene, const CheckContacts *contacts, const CheckListing *listing,
                        impi_Text *output)
{
    switch (listing->format) {
    case CHECK_TABLE:
        put_table(scene, contacts, listing, output);
        break;
    case CHECK_CSV:
    case CHECK_PAIRS_CSV:
        put_csv(scene, contacts, output);
        check_remark_on_containers(scene);
        break;
    case CHECK_JSON:
        put_json(scene, contacts, output);
        break;
    }
}
