// A building of two thousand parts, in files of their own and in two units: kinds of clash, depths and
// clearances are those known from construction, and what stands on each other touches. Run as a program.
#define _XOPEN_SOURCE 700 // for program.h

#include "program.h"

#include "building_truth.h"

#define MAX_COLUMNS 32
#define TOUCH_DEPTH "0.005" // brackets are 0.003 deep in slabs
#define UNITS       "--unit m --unit '*_mm=mm' "

static struct {
    Building building;
    PartPair *truth;
    size_t truth_count;
    size_t *sorted; // parts by name
    char *text;     // of the last answer
} site;

static const PartPair *truth_of(size_t a, size_t b)
{
    size_t low = 0, high = site.truth_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const PartPair *pair = &site.truth[middle];
        if (pair->a < a || (pair->a == a && pair->b < b))
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < site.truth_count && site.truth[low].a == a && site.truth[low].b == b;
    return found ? &site.truth[low] : NULL;
}

static int compare_parts(const void *a, const void *b)
{
    return strcmp(site.building.parts[*(const size_t *)a].name, site.building.parts[*(const size_t *)b].name);
}

static void free_site(void)
{
    free(site.building.parts);
    free(site.truth);
    free(site.sorted);
    free(site.text);
}

// The whole building is two blocks of 4 x 2 bays on 4 storeys.
static bool prepare_site(void)
{
    if (!prepare())
        return false;
    if (site.truth)
        return true;
    building_add_all(&site.building, (const int[3]){4, 2, 4});
    CHECK_INT((int64_t)site.building.count, 2000);
    site.truth = building_truth(&site.building, strtod(BUILDING_CLEARANCE, NULL), &site.truth_count);
    site.sorted = malloc(site.building.count * sizeof *site.sorted);
    atexit(free_site);
    for (size_t i = 0; i < site.building.count; ++i)
        site.sorted[i] = i;
    qsort(site.sorted, site.building.count, sizeof *site.sorted, compare_parts);
    return CHECK(mkdir("site", 0777) == 0) && building_write(&site.building, "site");
}

// The number of a part by its name, or that of parts where there is none.
static size_t part_named(const char *name)
{
    size_t low = 0, high = site.building.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(site.building.parts[site.sorted[middle]].name, name);
        if (order == 0)
            return site.sorted[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return site.building.count;
}

// ---- answers

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0))
        abort();
    long size = ftell(file);
    char *text = malloc((size_t)size + 1);
    rewind(file);
    if (!text || fread(text, 1, (size_t)size, file) != (size_t)size)
        abort();
    text[size] = 0;
    fclose(file);
    return text;
}

// Ask about the whole building, with one thread and with two, which must answer alike. Answers are longer
// than what run keeps.
static bool ask(const char *arguments, int status)
{
    char command[1024];
    snprintf(command, sizeof command, "check --threads 1 " UNITS "%s site", arguments);
    if (!CHECK_INT(run(command), status))
        printf("  %s: %s", command, run_state.err);
    free(site.text);
    site.text = read_all(".out");
    snprintf(command, sizeof command, "check --threads 2 " UNITS "%s site", arguments);
    CHECK_INT(run(command), status);
    char *again = read_all(".out");
    bool alike = CHECK(strcmp(site.text, again) == 0);
    free(again);
    return alike;
}

typedef struct Row {
    char *fields[MAX_COLUMNS];
    int count;
} Row;

// Take a line of CSV without quotes apart; returns where the next one begins.
static char *next_row(char *text, Row *row)
{
    row->count = 0;
    for (char *field = text; row->count < MAX_COLUMNS;) {
        char *end = field + strcspn(field, ",\n");
        bool is_last = *end != ',';
        char *next = *end ? end + 1 : end;
        *end = 0;
        row->fields[row->count++] = field;
        if (is_last)
            return next;
        field = next;
    }
    CHECK(row->count < MAX_COLUMNS);
    return text + strlen(text);
}

static double number_of(const Row *row, int column)
{
    return strtod(row->fields[column], NULL);
}

// What a line says, beside what is known of its pair.
typedef struct Answer {
    const PartPair *truth; // null where the two are apart
    const char *name_a, *name_b;
    bool is_turned; // b comes first in the truth
} Answer;

static Answer answer_of(const Row *row)
{
    Answer answer = {.name_a = row->fields[row->count - 2], .name_b = row->fields[row->count - 1]};
    size_t a = part_named(answer.name_a), b = part_named(answer.name_b);
    CHECK(a < site.building.count && b < site.building.count);
    CHECK(number_of(row, 0) < number_of(row, 1));
    answer.is_turned = a > b;
    answer.truth = answer.is_turned ? truth_of(b, a) : truth_of(a, b);
    return answer;
}

static PartRelation turned(PartRelation relation, bool is_turned)
{
    if (is_turned && (relation == PARTS_A_INSIDE_B || relation == PARTS_B_INSIDE_A))
        return relation == PARTS_A_INSIDE_B ? PARTS_B_INSIDE_A : PARTS_A_INSIDE_B;
    return relation;
}

// With --touch-depth, what is less deep touches.
static PartRelation with_touch_depth(const PartPair *pair, double touch_depth)
{
    bool is_let_pass = pair->relation == PARTS_OVERLAP && !pair->is_duplicate && pair->depth <= touch_depth;
    return is_let_pass ? PARTS_TOUCH : pair->relation;
}

static bool check_word(const Answer *answer, const char *word, PartRelation relation)
{
    const char *known = part_relation_word(turned(relation, answer->is_turned));
    bool held = CHECK_TEXT(word, known);
    if (!held)
        printf("  %s and %s\n", answer->name_a, answer->name_b);
    return held;
}

static bool check_number(const Answer *answer, double got, double low, double high)
{
    bool held = CHECK(got >= low && got <= high);
    if (!held)
        printf("  %s and %s: %.17g, expected %.17g to %.17g\n", answer->name_a, answer->name_b, got, low,
               high);
    return held;
}

static int count_matches(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        ++count;
    return count;
}

// ---- the plan itself

// What the plan says of each bay, by numbers: 32 bays in each of two blocks, on four storeys of 4 x 2.
TEST(the_building_has_what_it_should)
{
    int counts[6] = {0}, duplicates = 0, unknown_depths = 0, in_millimetres = 0;
    int gaps = 0, rounded = 0;
    if (!prepare_site())
        return;
    for (size_t i = 0; i < site.truth_count; ++i) {
        const PartPair *pair = &site.truth[i];
        ++counts[pair->relation];
        duplicates += pair->is_duplicate;
        unknown_depths += pair->relation == PARTS_OVERLAP && isnan(pair->depth);
        gaps += pair->relation == PARTS_CLEARANCE && pair->distance < 1e-6;
        rounded += pair->is_rounded;
    }
    for (size_t i = 0; i < site.building.count; ++i)
        in_millimetres += site.building.parts[i].in_millimetres;
    // Overlaps of a bay: duct, round duct, open duct, duct that ends in the wall, bracket, two duplicates.
    CHECK_INT(counts[PARTS_OVERLAP], 64 * 7);
    CHECK_INT(duplicates, 64 * 2);
    CHECK_INT(unknown_depths, 64);
    CHECK_INT(counts[PARTS_A_INSIDE_B] + counts[PARTS_B_INSIDE_A], 64);
    printf("  touch %d, of them %d by rounding; clearance %d, of them %d by rounding; in millimetres %d\n",
           counts[PARTS_TOUCH], rounded, counts[PARTS_CLEARANCE], gaps, in_millimetres);
    CHECK(counts[PARTS_TOUCH] > 64 * 12);
    CHECK(counts[PARTS_CLEARANCE] > 64 * 5);
    CHECK(in_millimetres > 500 && in_millimetres < 900);
}

// ---- questions

TEST(clearances_and_kinds_are_those_of_the_plan)
{
    size_t count = 0;
    Row row;
    if (!prepare_site() || !ask("--clearance " BUILDING_CLEARANCE " --csv", 1))
        return;
    char *next = strchr(site.text, '\n') + 1;
    CHECK(
        strncmp(site.text,
                "body_a,body_b,distance,lower_bound,ax,ay,az,bx,by,bz,face_a,face_b,relation,name_a,name_b\n",
                (size_t)(next - site.text)) == 0);
    while (*next) {
        next = next_row(next, &row);
        CHECK_INT(row.count, 15);
        Answer answer = answer_of(&row);
        if (!CHECK(answer.truth != NULL)) {
            printf("  %s and %s are apart\n", answer.name_a, answer.name_b);
            continue;
        }
        ++count;
        check_word(&answer, row.fields[12], answer.truth->relation);
        double distance = answer.truth->relation == PARTS_OVERLAP ? 0 : answer.truth->distance;
        check_number(&answer, number_of(&row, 2), distance - 1e-9, distance + 1e-9);
        check_number(&answer, number_of(&row, 3), distance - 1e-9, number_of(&row, 2));
        CHECK((number_of(&row, 2) == 0) == (distance == 0));
    }
    CHECK_INT((int64_t)count, (int64_t)site.truth_count);
}

TEST(depths_are_those_of_the_plan)
{
    size_t count = 0, expected = 0;
    Row row;
    const PartPair *last = NULL;
    if (!prepare_site() || !ask("--contacts --csv", 1))
        return;
    for (size_t i = 0; i < site.truth_count; ++i)
        expected += site.truth[i].relation == PARTS_TOUCH || site.truth[i].relation == PARTS_OVERLAP;
    for (char *next = strchr(site.text, '\n') + 1; *next;) {
        next = next_row(next, &row);
        CHECK_INT(row.count, 24);
        Answer answer = answer_of(&row);
        if (!CHECK(answer.truth != NULL)) {
            printf("  %s and %s are apart\n", answer.name_a, answer.name_b);
            continue;
        }
        count += answer.truth != last; // a line a region, those of a pair behind each other
        last = answer.truth;
        check_word(&answer, row.fields[21], answer.truth->relation);
        double known = answer.truth->relation == PARTS_TOUCH ? 0 : answer.truth->depth;
        if (isnan(known)) { // open
            CHECK_TEXT(row.fields[2], "");
        } else if (!answer.truth->is_duplicate) {
            check_number(&answer, number_of(&row, 2), known - 1e-9, 1.0101 * known + 1e-9);
            check_number(&answer, number_of(&row, 3), 0.99 * known - 1e-9, known + 1e-9);
        }
    }
    CHECK_INT((int64_t)count, (int64_t)expected);
}

// Which pairs --pairs has to list: those that meet.
static void check_pairs(PartRelation (*relation_of)(const PartPair *pair))
{
    size_t count = 0, expected = 0;
    Row row;
    for (size_t i = 0; i < site.truth_count; ++i) {
        PartRelation relation = relation_of(&site.truth[i]);
        expected += relation != PARTS_APART && relation != PARTS_CLEARANCE;
    }
    char *next = strchr(site.text, '\n') + 1;
    CHECK(strncmp(site.text, "body_a,body_b,relation,name_a,name_b\n", (size_t)(next - site.text)) == 0);
    while (*next) {
        next = next_row(next, &row);
        CHECK_INT(row.count, 5);
        Answer answer = answer_of(&row);
        if (!CHECK(answer.truth != NULL)) {
            printf("  %s and %s are apart\n", answer.name_a, answer.name_b);
            continue;
        }
        ++count;
        check_word(&answer, row.fields[2], relation_of(answer.truth));
    }
    CHECK_INT((int64_t)count, (int64_t)expected);
}

static PartRelation relation_at_touch_depth(const PartPair *pair)
{
    return with_touch_depth(pair, strtod(TOUCH_DEPTH, NULL));
}

static PartRelation relation_at_no_depth(const PartPair *pair)
{
    return pair->relation;
}

TEST(kinds_with_a_depth_that_is_let_pass)
{
    if (prepare_site() && ask("--pairs --touch-depth " TOUCH_DEPTH, 1))
        check_pairs(relation_at_touch_depth);
    if (prepare_site() && ask("--pairs --touch-depth 0", 1))
        check_pairs(relation_at_no_depth);
}

// ---- rules

static bool names_have(const PartPair *pair, const char *one, const char *other)
{
    const char *a = site.building.parts[pair->a].name, *b = site.building.parts[pair->b].name;
    return (strstr(a, one) && strstr(b, other)) || (strstr(a, other) && strstr(b, one));
}

static PartRelation relation_by_rules(const PartPair *pair)
{
    if (names_have(pair, "_slab", "_wall") || !names_have(pair, "_", "_duct"))
        return PARTS_APART;
    return relation_at_touch_depth(pair);
}

static PartRelation relation_of_ducts_and_walls(const PartPair *pair)
{
    return names_have(pair, "_duct", "_wall") ? pair->relation : PARTS_APART;
}

static PartRelation relation_without_copies(const PartPair *pair)
{
    bool is_left_out = names_have(pair, "_slab", "_") || names_have(pair, "_again", "_cabinet") ||
                       names_have(pair, "_roof", "_wall_long");
    return is_left_out ? PARTS_APART : pair->relation;
}

TEST(rules_choose_among_the_pairs)
{
    if (!prepare_site())
        return;
    if (ask("--pairs --touch-depth 0 --between '*_duct*' '*_wall*'", 1))
        check_pairs(relation_of_ducts_and_walls);
    write_file("all.rules", "# what the project lets pass\nbetween * *_duct*\n\nignore *_slab* *_wall*\n"
                            "touch-depth " TOUCH_DEPTH "\n");
    if (ask("--pairs --rules all.rules", 1))
        check_pairs(relation_by_rules);
    write_file("ignored.txt", "*_roof*,*_wall_long*\n*_slab*,*\n");
    if (ask("--pairs --touch-depth 0 --ignore '*_cabinet*,*_again*' --ignore-file ignored.txt", 1))
        check_pairs(relation_without_copies);
}

static bool is_within_rules(const PartPair *pair)
{
    bool is_pipe = names_have(pair, "_pipe", "_pipe");
    return pair->relation != PARTS_CLEARANCE || pair->distance <= (is_pipe ? 0.04995 : 0.025);
}

TEST(clearances_by_rules)
{
    size_t count = 0, expected = 0;
    Row row;
    if (!prepare_site())
        return;
    write_file("near.rules", "clearance 0.025\nclearance 0.04995 *_pipe* *_pipe*\ntouch-depth " TOUCH_DEPTH
                             " *_bracket* *_slab*\n");
    if (!ask("--rules near.rules --csv", 1))
        return;
    for (size_t i = 0; i < site.truth_count; ++i)
        expected += is_within_rules(&site.truth[i]);
    for (char *next = strchr(site.text, '\n') + 1; *next;) {
        next = next_row(next, &row);
        CHECK_INT(row.count, 15);
        Answer answer = answer_of(&row);
        if (!CHECK(answer.truth && is_within_rules(answer.truth)))
            continue;
        ++count;
        check_word(&answer, row.fields[12], relation_at_touch_depth(answer.truth));
    }
    CHECK_INT((int64_t)count, (int64_t)expected);
}

// ---- rounding

// Boxes that stand on each other or side by side at whole micrometres, one of each two in another unit, far
// from the next two. Read back, they are apart, share a plane or reach into each other by some ulps.
TEST(rounding_of_units_makes_no_overlaps)
{
    enum { COUNT = 600 };
    Building boxes = {0};
    int outcomes[3] = {0};
    if (!prepare() || !CHECK(mkdir("stacks", 0777) == 0))
        return;
    for (int i = 0; i < COUNT; ++i) {
        int axis = i % 3, reach = i % 7 == 0 ? 900000000 : 9000000;
        building_add(&boxes);
        Part *upper = building_add(&boxes), *lower = upper - 1;
        for (int k = 0; k < 3; ++k) {
            lower->low.at[k] = (int64_t)test_random_below((uint32_t)reach);
            lower->high.at[k] = lower->low.at[k] + 1 + test_random_below(3000000);
        }
        lower->low.at[(axis + 1) % 3] += i * INT64_C(8000000);
        lower->high.at[(axis + 1) % 3] += i * INT64_C(8000000);
        *upper = *lower;
        upper->low.at[axis] = lower->high.at[axis];
        upper->high.at[axis] = upper->low.at[axis] + 1 + test_random_below(3000000);
        if (i % 2) // otherwise as wide as the lower one
            upper->low.at[(axis + 2) % 3] += 1 + test_random_below(2000000) % 1000;
        if (i % 2 && upper->low.at[(axis + 2) % 3] > upper->high.at[(axis + 2) % 3])
            upper->low.at[(axis + 2) % 3] = lower->low.at[(axis + 2) % 3];
        lower->in_millimetres = test_random_below(2);
        upper->in_millimetres = !lower->in_millimetres;
        lower->format = upper->format = i % 5 ? PART_OBJ : PART_TEXT_STL;
        snprintf(lower->name, sizeof lower->name, "lower_%03d%s", i, lower->in_millimetres ? "_mm" : "");
        snprintf(upper->name, sizeof upper->name, "upper_%03d%s", i, upper->in_millimetres ? "_mm" : "");
        double top = part_metres(lower, lower->high.at[axis]),
               bottom = part_metres(upper, upper->low.at[axis]);
        ++outcomes[top < bottom ? 0 : top == bottom ? 1 : 2];
    }
    CHECK(building_write(&boxes, "stacks"));
    CHECK(outcomes[0] > COUNT / 40 && outcomes[1] > COUNT / 4 && outcomes[2] > COUNT / 40);
    CHECK_INT(run("check " UNITS "--pairs --touch-depth 0 stacks"), 1);
    CHECK_INT(count_matches(run_state.out, ",overlap,"), 0);
    CHECK_INT(count_matches(run_state.out, ",touch,"), outcomes[1] + outcomes[2]);
    CHECK_INT(count_matches(run_state.out, "\n"), outcomes[1] + outcomes[2] + 1);
    CHECK_INT(run("check " UNITS "--contacts --csv stacks"), 1);
    CHECK_INT(count_matches(run_state.out, ",overlap,"), 0);
    CHECK_INT(run("check " UNITS "--clearance 1e-9 --csv stacks"), 1);
    CHECK_INT(count_matches(run_state.out, ",touch,"), outcomes[1] + outcomes[2]);
    CHECK_INT(count_matches(run_state.out, ",clearance,"), outcomes[0]);
    CHECK_INT(count_matches(run_state.out, "\n"), COUNT + 1);
    free(boxes.parts);
}

// Boxes of equal width, one on the other and a little into it: walls of one thickness, slabs of one plan. The
// bounds of the depth are promised to be 1 % apart.
TEST(depths_of_boxes_whose_sides_lie_in_one_plane)
{
    static const double depths[] = {0x1p-4, 0x1p-12, 0x1p-16, 0x1p-20, 0x1p-32};
    char command[256];
    Row row;
    if (!prepare())
        return;
    for (size_t i = 0; i < sizeof depths / sizeof *depths; ++i) {
        snprintf(command, sizeof command, "check --contacts --csv box.obj box.obj --pose 1 '0 0 %.17g'",
                 1 - depths[i]);
        CHECK_INT(run(command), 1);
        char *line = strchr(run_state.out, '\n') + 1;
        next_row(line, &row);
        CHECK(number_of(&row, 2) >= depths[i] && number_of(&row, 2) <= 1.0101 * depths[i]);
        CHECK(number_of(&row, 3) <= depths[i] && number_of(&row, 3) >= 0.98 * depths[i]);
        printf("  %.3g: from %s to %s\n", depths[i], row.fields[3], row.fields[2]);
    }
    // 1 um deep, and 10 um are let pass.
    CHECK_INT(run("check --pairs box.obj box.obj --pose 1 '0 0 0.999999' --touch-depth 1e-5"), 1);
    CHECK_CONTAINS(run_state.out, "0,1,touch,");
}

// A third body, far away and in single precision, says nothing about two others.
TEST(what_is_let_pass_hangs_on_the_two_bodies_alone)
{
    Part far = {.name = "far_mm",
                .in_millimetres = true,
                .format = PART_BINARY_STL,
                .low = {{500000000, 0, 0}},
                .high = {{501000000, 1000000, 1000000}}};
    if (!prepare() || !part_write(&far, "."))
        return;
    CHECK_INT(run("check --pairs --touch-depth 0 box.obj box.obj --pose 1 '0.25 0.25 0.9999'"), 1);
    CHECK_CONTAINS(run_state.out, "0,1,overlap,");
    CHECK_INT(
        run("check --pairs --touch-depth 0 box.obj box.obj --pose 1 '0.25 0.25 0.9999' far_mm.stl " UNITS),
        1);
    CHECK_CONTAINS(run_state.out, "0,1,overlap,");
}

// ---- many files

static const char broken_obj[] = "v 0 0 0\nv 1 0 0\nv 0 one 0\nf 1 2 3\n";

// Ten thousand boxes, in rows of a hundred of which each touches the next, one in the middle of a row broken.
TEST(ten_thousand_files_of_which_one_is_broken)
{
    if (!prepare() || !CHECK(mkdir("many", 0777) == 0))
        return;
    for (int i = 0; i < 10000; ++i) {
        Part part = {.format = PART_OFF, .shape = PART_BOX};
        int64_t x = i % 100 * INT64_C(100000), y = i / 100 * INT64_C(300000);
        snprintf(part.name, sizeof part.name, "brick_%04d", i);
        part.low = (Corner){{x, y, 0}};
        part.high = (Corner){{x + 100000, y + 240000, 115000}};
        if (!part_write(&part, "many"))
            return;
    }
    CHECK(remove("many/brick_4250.off") == 0);
    write_file("many/brick_4250.obj", broken_obj);
    check_fails("check --pairs many", "many/brick_4250.obj");
    CHECK_CONTAINS(run_state.err, ":3");
    CHECK_INT(run("check --pairs --keep-going many"), 1);
    CHECK_INT(count_matches(run_state.err, "brick_4250"), 1);
    CHECK_INT(count_matches(run_state.err, "\n"), 1);
    char *text = read_all(".out");
    // A row has 99 pairs; two of them are gone.
    CHECK_INT(count_matches(text, ",touch,"), 100 * 99 - 2);
    CHECK_INT(count_matches(text, "\n"), 100 * 99 - 2 + 1);
    CHECK(strstr(text, "brick_4250") == NULL);
    CHECK_CONTAINS(text, ",touch,brick_4248,brick_4249\n");
    CHECK_CONTAINS(text, ",touch,brick_4251,brick_4252\n");
    free(text);
}
