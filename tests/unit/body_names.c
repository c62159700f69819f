#include "playback/body_names.h"

#include "base/context.h"
#include "failing_allocator.h"
#include "mesh_files.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static impi_BodyNames *name_sources(imp_Context *context, const impi_BodySource *sources, size_t count)
{
    impi_BodyNames *names = NULL;
    CHECK_INT(impi_body_names_create(context, sources, count, &names), IMP_STATUS_OK);
    return names;
}

static void check_names(const impi_BodySource *sources, const char *const *expected, size_t count)
{
    imp_Context *context = new_context();
    impi_BodyNames *names = name_sources(context, sources, count);
    CHECK_INT((int64_t)impi_body_names_count(names), (int64_t)count);
    for (size_t i = 0; i < count; ++i)
        CHECK_TEXT(impi_body_name(names, i), expected[i]);
    impi_body_names_destroy(names);
    imp_context_destroy(context);
}

// ---- names

TEST(files_are_named_without_folder_and_extension)
{
    const impi_BodySource sources[] = {
        {"parts/wall_3.stl", NULL}, {"ring.ply", NULL},     {"a.b.stl", NULL}, {"-", NULL}, {".off", NULL},
        {"/abs/plain", NULL},       {"robot.glb", "link1"}, {"dir/", NULL}};
    const char *const names[] = {"wall_3", "ring", "a.b", "-", ".off", "plain", "link1", "dir/"};
    check_names(sources, names, COUNT(sources));
    check_names(NULL, NULL, 0);
}

TEST(names_have_as_much_more_as_tells_them_apart)
{
    const impi_BodySource extensions[] = {{"p/ring.ply", NULL}, {"p/ring.stl", NULL}, {"p/star.stl", NULL}};
    const char *const by_extension[] = {"ring.ply", "ring.stl", "star"};
    check_names(extensions, by_extension, 3);

    const impi_BodySource folders[] = {{"left/arm.stl", NULL}, {"right/arm.stl", NULL}};
    const char *const by_folder[] = {"left/arm", "right/arm"};
    check_names(folders, by_folder, 2);

    const impi_BodySource both[] = {{"left/arm.stl", NULL}, {"left/arm.ply", NULL}, {"right/arm.stl", NULL}};
    const char *const by_both[] = {"left/arm.stl", "arm.ply", "right/arm"};
    check_names(both, by_both, 3);

    const impi_BodySource deep[] = {{"/x/a/b/m.stl", NULL}, {"/y/a/b/m.stl", NULL}, {"m.stl", NULL}};
    const char *const by_depth[] = {"x/a/b/m", "y/a/b/m", "m.stl"};
    check_names(deep, by_depth, 3);
}

TEST(parts_have_their_file_in_front_where_names_meet)
{
    const impi_BodySource sources[] = {{"cell/robot.glb", "link1"},
                                       {"cell/robot.glb", "link2"},
                                       {"cell/table.glb", "link1"},
                                       {"link2.stl", NULL},
                                       {"cell/robot.glb", ""}};
    const char *const names[] = {"robot/link1", "robot/link2", "table/link1", "link2.stl", "robot/"};
    check_names(sources, names, COUNT(sources));
}

TEST(the_same_source_twice_has_the_same_name)
{
    const impi_BodySource sources[] = {{"a/bolt.stl", NULL},
                                       {"a/bolt.stl", NULL},
                                       {"b/bolt.stl", NULL},
                                       {"b/bolt.stl", NULL},
                                       {"nut.stl", NULL}};
    const char *const names[] = {"a/bolt", "a/bolt", "b/bolt", "b/bolt", "nut"};
    check_names(sources, names, COUNT(sources));
}

// A short name of one is a long one of another.
TEST(names_that_meet_across_groups)
{
    const impi_BodySource sources[] = {{"x.ply.stl", NULL}, {"d/x.ply", NULL}, {"d/x.stl", NULL}};
    const char *const names[] = {"x.ply.stl", "d/x.ply", "x.stl"};
    check_names(sources, names, COUNT(sources));
    const impi_BodySource chain[] = {{"x.ply.stl", NULL},
                                     {"d/x.ply", NULL},
                                     {"d/x.stl", NULL},
                                     {"e.glb", "d/x.ply"},
                                     {"x.ply.stl.o", NULL}};
    imp_Context *context = new_context();
    impi_BodyNames *made = name_sources(context, chain, COUNT(chain));
    for (size_t i = 0; i < COUNT(chain); ++i)
        for (size_t k = 0; k < i; ++k)
            CHECK(strcmp(impi_body_name(made, i), impi_body_name(made, k)) != 0);
    impi_body_names_destroy(made);
    imp_context_destroy(context);
}

static const char *make_path(char *text, size_t capacity, bool *is_part)
{
    static const char *const folders[] = {"", "a/", "b/", "a/a/", "/a/", "./"};
    static const char *const files[] = {"x", "x.ply", "x.stl", "x.ply.stl", "y.stl"};
    snprintf(text, capacity, "%s%s", folders[test_random_below(6)], files[test_random_below(5)]);
    *is_part = test_random_below(4) == 0;
    return text;
}

// Different sources have different names, each of which finds its body.
TEST(random_sources_are_told_apart)
{
    imp_Context *context = new_context();
    uint64_t lengthened = 0, total = 0;
    for (uint64_t round = 0; round < test_count(2000); ++round) {
        char paths[12][40];
        impi_BodySource sources[12];
        size_t count = 1 + test_random_below(12);
        for (size_t i = 0; i < count; ++i) {
            bool is_part;
            sources[i].path = make_path(paths[i], sizeof paths[i], &is_part);
            sources[i].part = is_part ? "x" : NULL;
        }
        impi_BodyNames *names = name_sources(context, sources, count);
        for (size_t i = 0; i < count; ++i) {
            bool is_repeated = false;
            uint32_t body = UINT32_MAX;
            lengthened += strpbrk(impi_body_name(names, i), "./") != NULL;
            ++total;
            for (size_t k = 0; k < count; ++k) {
                bool same =
                    strcmp(sources[i].path, sources[k].path) == 0 && sources[i].part == sources[k].part;
                CHECK_INT(strcmp(impi_body_name(names, i), impi_body_name(names, k)) == 0, same);
                is_repeated = is_repeated || (same && i != k);
            }
            imp_Status status =
                impi_body_names_find_one(context, names, IMPI_NO_PLACE, impi_body_name(names, i), &body);
            CHECK_INT(status, is_repeated ? IMP_STATUS_BAD_INDEX : IMP_STATUS_OK);
            CHECK(is_repeated || body == i);
        }
        impi_body_names_destroy(names);
    }
    CHECK(lengthened > total / 4 && lengthened < total);
    imp_context_destroy(context);
}

// ---- finding

static const impi_BodySource cell[] = {{"parts/table.stl", NULL}, {"robot.glb", "link1"},
                                       {"robot.glb", "link2"},    {"left/arm.stl", NULL},
                                       {"right/arm.stl", NULL},   {"7.stl", NULL},
                                       {"odd/part[1].stl", NULL}, {"odd/caf\xC3\xA9.stl", NULL}};

static void check_found(const char *text, const char *expected)
{
    imp_Context *context = new_context();
    impi_BodyNames *names = name_sources(context, cell, COUNT(cell));
    impi_BodyList list = {0};
    char got[IMP_MAX_ERROR_MESSAGE] = "";
    imp_Status status = impi_body_names_find(context, names, IMPI_NO_PLACE, text, &list);
    for (size_t i = 0; i < list.count && status == IMP_STATUS_OK; ++i)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%u", i ? " " : "", list.data[i]);
    if (status != IMP_STATUS_OK)
        snprintf(got, sizeof got, "%s", imp_context_get_error(context)->message);
    if (!CHECK_TEXT(got, expected))
        printf("  for '%s'\n", text);
    impi_body_list_free(context, &list);
    impi_body_names_destroy(names);
    imp_context_destroy(context);
}

TEST(bodies_are_found_by_all_that_names_them)
{
    check_found("table", "0");
    check_found("table.stl", "0");
    check_found("parts/table.stl", "0");
    check_found("parts/table", "");
    check_found("link1", "1");
    check_found("robot", "'robot' fits 2 bodies: 1 (link1) and 2 (link2)");
    check_found("robot.glb", "'robot.glb' fits 2 bodies: 1 (link1) and 2 (link2)");
    check_found("arm", "'arm' fits 2 bodies: 3 (left/arm) and 4 (right/arm)");
    check_found("left/arm", "3");
    check_found("right/arm.stl", "4");
    check_found("lnk1", "");
    check_found("", "");
}

TEST(numbers_count_from_0_and_are_refused_where_another_body_is_named_so)
{
    check_found("0", "0");
    check_found("4", "4");
    check_found("004", "4");
    check_found("7", "'7' fits 2 bodies: 5 (7) and 7 (caf\xC3\xA9)");
    check_found("7.stl", "5");
    check_found("8", "");
    check_found("99999999999999999999999999", "");
    check_found("4294967296", "");
    check_found("-1", "");
}

TEST(patterns_find_all_that_fit)
{
    check_found("*", "0 1 2 3 4 5 6 7");
    check_found("link?", "1 2");
    check_found("*arm", "3 4");
    check_found("*arm*", "3 4");
    check_found("robot*", "1 2");
    check_found("[lr]*", "1 2 3 4");
    check_found("pa*", "0 6");
    check_found("caf?", "7");
    check_found("nothing*", "");
    check_found("part[1]", "6"); // a name before it is a pattern
    check_found("part[12]", "");
    check_found("part\\[1\\]", "6");
}

static void check_one(const char *text, imp_Status status, const char *message)
{
    imp_Context *context = new_context();
    impi_BodyNames *names = name_sources(context, cell, COUNT(cell));
    uint32_t body = 77;
    impi_Place place = IMPI_NO_PLACE;
    place.file = "poses.csv";
    CHECK_INT(impi_body_names_find_one(context, names, place, text, &body), status);
    CHECK(status == IMP_STATUS_OK ? body < COUNT(cell) : body == 77);
    CHECK_TEXT(imp_context_get_error(context)->message, message);
    impi_body_names_destroy(names);
    imp_context_destroy(context);
}

TEST(one_body_is_expected)
{
    check_one("link2", IMP_STATUS_OK, "");
    check_one("*able", IMP_STATUS_OK, "");
    check_one("lnk2", IMP_STATUS_BAD_INDEX, "poses.csv: no body is named 'lnk2'; did you mean 'link2'?");
    check_one("frobnicator", IMP_STATUS_BAD_INDEX, "poses.csv: no body is named 'frobnicator'");
    check_one("nothing*", IMP_STATUS_BAD_INDEX, "poses.csv: no body is named 'nothing*'");
    check_one("9", IMP_STATUS_BAD_INDEX, "poses.csv: there is no body 9; the last one is 7, counting from 0");
    check_one("arm", IMP_STATUS_BAD_INDEX, "poses.csv: 'arm' fits 2 bodies: 3 (left/arm) and 4 (right/arm)");
    check_one("*", IMP_STATUS_BAD_INDEX,
              "poses.csv: '*' fits 8 bodies: 0 (table), 1 (link1), 2 (link2) and 5 more");
}

TEST(a_line_of_a_file_makes_it_a_bad_file)
{
    imp_Context *context = new_context();
    impi_BodyNames *names = name_sources(context, cell, COUNT(cell));
    impi_Place place = {"rules.txt", 3, IMP_NOWHERE, IMP_NOWHERE};
    impi_BodyList list = {0};
    uint32_t body;
    CHECK_INT(impi_body_names_find_one(context, names, place, "x", &body), IMP_STATUS_BAD_FILE);
    CHECK_INT(impi_body_names_find(context, names, place, "arm", &list), IMP_STATUS_BAD_FILE);
    CHECK_TEXT(imp_context_get_error(context)->message,
               "rules.txt:3: 'arm' fits 2 bodies: 3 (left/arm) and 4 (right/arm)");
    CHECK_INT((int64_t)imp_context_get_error(context)->index, 3);
    impi_body_list_free(context, &list);
    impi_body_names_destroy(names);
    imp_context_destroy(context);
}

TEST(names_that_bodies_bring)
{
    static const char *const own[] = {"pendulum", "ball 0", "ball 1", "ball 1", ""};
    imp_Context *context = new_context();
    impi_BodyNames *names = NULL;
    uint32_t body = 0;
    CHECK_INT(impi_body_names_adopt(context, own, COUNT(own), &names), IMP_STATUS_OK);
    CHECK_INT(impi_body_names_find_one(context, names, IMPI_NO_PLACE, "ball 0", &body), IMP_STATUS_OK);
    CHECK_INT(body, 1);
    CHECK_INT(impi_body_names_find_one(context, names, IMPI_NO_PLACE, "ball 1", &body), IMP_STATUS_BAD_INDEX);
    CHECK_TEXT(imp_context_get_error(context)->message, "'ball 1' fits 2 bodies: 2 (ball 1) and 3 (ball 1)");
    CHECK_INT(impi_body_names_find_one(context, names, IMPI_NO_PLACE, "", &body), IMP_STATUS_OK);
    CHECK_INT(body, 4);
    CHECK_TEXT(impi_body_names_suggest(names, "pendlum"), "pendulum");
    CHECK(impi_body_names_suggest(names, "elephant") == NULL);
    impi_body_names_destroy(names);
    CHECK_INT(impi_body_names_adopt(context, NULL, 0, &names), IMP_STATUS_OK);
    CHECK_INT(impi_body_names_find_one(context, names, IMPI_NO_PLACE, "0", &body), IMP_STATUS_BAD_INDEX);
    impi_body_names_destroy(names);
    impi_body_names_destroy(NULL);
    imp_context_destroy(context);
}

// ---- hostile, many, and out of memory

TEST(very_long_and_strange_names_stay_in_one_line)
{
    enum { LENGTH = 5000 };
    char *path = malloc(LENGTH + 1);
    memset(path, '/', LENGTH);
    path[LENGTH] = 0;
    const impi_BodySource sources[] = {{path, NULL}, {path + 1, NULL}, {path + 2, "\n\x1B[31m"}, {"", NULL}};
    imp_Context *context = new_context();
    impi_BodyNames *names = name_sources(context, sources, COUNT(sources));
    uint32_t body;
    CHECK(strcmp(impi_body_name(names, 0), impi_body_name(names, 1)) != 0);
    CHECK_INT(impi_body_names_find_one(context, names, IMPI_NO_PLACE, "*", &body), IMP_STATUS_BAD_INDEX);
    CHECK(!strpbrk(imp_context_get_error(context)->message, "\n\x1B"));
    CHECK_CONTAINS(imp_context_get_error(context)->message, "fits 4 bodies");
    CHECK_INT(impi_body_names_find_one(context, names, IMPI_NO_PLACE, path + 3, &body), IMP_STATUS_BAD_INDEX);
    impi_body_names_destroy(names);
    imp_context_destroy(context);
    free(path);
}

TEST(ten_thousand_files_of_the_same_name)
{
    enum { FILES = 10000 };
    static char paths[FILES][48];
    static impi_BodySource sources[FILES];
    imp_Context *context = new_context();
    for (int i = 0; i < FILES; ++i) {
        snprintf(paths[i], sizeof paths[i], "building/parts/%05d/mesh.stl", i);
        sources[i].path = paths[i];
    }
    impi_BodyNames *names = name_sources(context, sources, FILES);
    impi_BodyList list = {0};
    CHECK_TEXT(impi_body_name(names, 4711), "04711/mesh");
    CHECK_INT(impi_body_names_find(context, names, IMPI_NO_PLACE, "047[0-9]?/mesh", &list), IMP_STATUS_OK);
    CHECK_INT((int64_t)list.count, 100);
    impi_body_list_free(context, &list);
    impi_body_names_destroy(names);
    imp_context_destroy(context);
}

TEST(names_without_memory)
{
    FailingAllocator memory;
    uint64_t n = 0;
    static const char *const own[] = {"a", "b"};
    do {
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        impi_BodyNames *names = NULL, *adopted = NULL;
        impi_BodyList list = {0};
        uint32_t body;
        imp_Status status = imp_context_create(&def, &context);
        if (status == IMP_STATUS_OK)
            status = impi_body_names_create(context, cell, COUNT(cell), &names);
        if (status == IMP_STATUS_OK)
            status = impi_body_names_adopt(context, own, 2, &adopted);
        if (status == IMP_STATUS_OK)
            status = impi_body_names_find(context, names, IMPI_NO_PLACE, "*", &list);
        if (status == IMP_STATUS_OK)
            status = impi_body_names_find_one(context, names, IMPI_NO_PLACE, "2", &body);
        if (status == IMP_STATUS_OK)
            status = impi_body_names_find_one(context, names, IMPI_NO_PLACE, "table.stl", &body);
        CHECK_INT(status, failing_allocator_has_failed(&memory) ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        if (context)
            impi_body_list_free(context, &list);
        impi_body_names_destroy(names);
        impi_body_names_destroy(adopted);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 8);
}
