#include "check_configurations.h"

#include "kit/safe_text.h"
#include "kit/text_table.h"

#include <stdlib.h>

#define COUNT_COLUMNS "  configurations  the first"

static size_t begin_of(const CheckConfigurations *found, size_t configuration)
{
    return configuration > 0 ? found->report->ends[configuration - 1] : 0;
}

static const char *key_name(const CheckConfigurations *found)
{
    return found->table->times ? "time" : "configuration";
}

static uint32_t body_number(imp_BodyId id)
{
    return id.slot - 1;
}

// ---- CSV

static void put_csv(const CheckScene *scene, const CheckConfigurations *found, impi_Text *output)
{
    const impi_Motion motion = check_motion(scene);
    Relation relation;
    impi_text_printf(output, "%s,body_a,body_b,relation" PAIR_NAME_COLUMNS "\n", key_name(found));
    for (size_t c = 0; c < found->report->configuration_count; ++c)
        for (size_t i = begin_of(found, c); i < found->report->ends[c]; ++i) {
            const imp_BodyPair *pair = &found->report->pairs[i];
            uint32_t a = body_number(pair->body_a), b = body_number(pair->body_b);
            for (uint32_t left = pair->relations; relation_take(&left, false, &relation);) {
                label_put_csv(found->table->labels[c], output);
                impi_text_printf(output, ",%u,%u,%s", a, b, relation_name(relation));
                pair_put_csv_names(&motion, a, b, output);
                impi_text_put(output, "\n");
            }
        }
}

// ---- JSON

static void put_json_integer(impi_JsonWriter *json, const char *key, uint64_t number)
{
    impi_json_put_key(json, key);
    impi_json_put_integer(json, number);
}

static void put_json_configuration(const CheckScene *scene, const CheckConfigurations *found, size_t number,
                                   impi_JsonWriter *json)
{
    const impi_Motion motion = check_motion(scene);
    Relation relation;
    impi_json_begin_object(json);
    impi_json_put_key(json, key_name(found));
    impi_json_put_string(json, found->table->labels[number]);
    impi_json_put_key(json, "pairs");
    impi_json_begin_array(json);
    for (size_t i = begin_of(found, number); i < found->report->ends[number]; ++i) {
        const imp_BodyPair *pair = &found->report->pairs[i];
        for (uint32_t left = pair->relations; relation_take(&left, false, &relation);) {
            impi_json_begin_object(json);
            pair_put_json(&motion, body_number(pair->body_a), body_number(pair->body_b), json);
            impi_json_put_key(json, "relation");
            impi_json_put_string(json, relation_name(relation));
            impi_json_end_object(json);
        }
    }
    impi_json_end_array(json);
    impi_json_end_object(json);
}

static void put_json(const CheckScene *scene, const CheckConfigurations *found, const CheckListing *listing,
                     impi_Text *output)
{
    impi_JsonWriter json = impi_json_begin_document(output, CHECK_SCHEMA_VERSION);
    check_put_json_files(&json, scene);
    impi_json_put_key(&json, "first_only");
    impi_json_put_bool(&json, listing->first_only);
    put_json_integer(&json, "configuration_count", found->report->configuration_count);
    put_json_integer(&json, "free_count", found->free_count);
    impi_json_put_key(&json, "configurations");
    impi_json_begin_array(&json);
    for (size_t i = 0; i < found->report->configuration_count; ++i)
        put_json_configuration(scene, found, i, &json);
    impi_json_end_array(&json);
    impi_json_end_document(&json);
}

// ---- the table: who meets whom, in how many configurations

typedef struct Meeting {
    uint32_t body_a, body_b;
    Relation relation;
    size_t configuration; // at first: each; in the end: the first
    size_t count;
} Meeting;

static int compare_meetings(const void *left, const void *right)
{
    const Meeting *a = left, *b = right;
    if (a->body_a != b->body_a)
        return a->body_a < b->body_a ? -1 : 1;
    if (a->body_b != b->body_b)
        return a->body_b < b->body_b ? -1 : 1;
    if (a->relation != b->relation)
        return a->relation < b->relation ? -1 : 1;
    return (a->configuration > b->configuration) - (a->configuration < b->configuration);
}

// One for each two bodies and relation; to be freed. Null when out of memory.
static Meeting *list_meetings(const CheckConfigurations *found, size_t *count)
{
    const imp_ConfigurationsReport *report = found->report;
    Meeting *all = calloc(2 * report->pair_count + 1, sizeof *all); // each may hold a part of the other
    size_t listed = 0, kept = 0;
    Relation relation;
    if (!all)
        return NULL;
    for (size_t c = 0; c < report->configuration_count; ++c)
        for (size_t i = begin_of(found, c); i < report->ends[c]; ++i)
            for (uint32_t left = report->pairs[i].relations; relation_take(&left, false, &relation);)
                all[listed++] = (Meeting){body_number(report->pairs[i].body_a),
                                          body_number(report->pairs[i].body_b), relation, c, 1};
    qsort(all, listed, sizeof *all, compare_meetings);
    for (size_t i = 0; i < listed; ++i) {
        Meeting *last = kept ? &all[kept - 1] : NULL;
        if (last && last->body_a == all[i].body_a && last->body_b == all[i].body_b &&
            last->relation == all[i].relation)
            ++last->count;
        else
            all[kept++] = all[i];
    }
    *count = kept;
    return all;
}

static void put_meetings(const CheckConfigurations *found, const PairTable *table, const Meeting *meetings,
                         size_t count, impi_Text *output)
{
    pair_table_begin_heading(table, output);
    impi_text_put(output, COUNT_COLUMNS);
    pair_table_end_heading(table, output);
    for (size_t i = 0; i < count; ++i) {
        pair_table_put(table, meetings[i].body_a, meetings[i].relation, meetings[i].body_b, output);
        impi_text_put_number(output, meetings[i].count, 16);
        impi_text_put(output, "  ");
        impi_text_put_shown(output, found->table->labels[meetings[i].configuration]);
        impi_text_put(output, "\n");
    }
}

static void put_table(const CheckScene *scene, const CheckConfigurations *found, impi_Text *output)
{
    const impi_Motion motion = check_motion(scene);
    BodyTable bodies;
    size_t count = 0;
    Meeting *meetings = list_meetings(found, &count);
    check_begin_bodies(&motion, &bodies, output);
    PairTable table = pair_table_begin(&bodies, true, sizeof COUNT_COLUMNS - 1);
    for (size_t i = 0; i < count; ++i)
        pair_table_announce(&table, meetings[i].body_a, meetings[i].relation, meetings[i].body_b);
    pair_table_fit(&table);
    body_table_put(&bodies, output);
    if (count)
        put_meetings(found, &table, meetings, count, output);
    impi_text_put(output, "\n");
    check_put_hulls(scene, output);
    impi_text_printf(output, "Configurations: %zu; bodies meet in %zu of them. Free: %zu.\n",
                     found->report->configuration_count,
                     found->report->configuration_count - found->free_count, found->free_count);
    if (!meetings)
        output->out_of_memory = true;
    body_table_free(&bodies);
    free(meetings);
}

void check_put_configurations(const CheckScene *scene, const CheckConfigurations *found,
                              const CheckListing *listing, impi_Text *output)
{
    switch (listing->format) {
    case CHECK_TABLE:
        put_table(scene, found, output);
        break;
    case CHECK_CSV:
    case CHECK_PAIRS_CSV:
        put_csv(scene, found, output);
        break;
    case CHECK_JSON:
        put_json(scene, found, listing, output);
        break;
    }
}
