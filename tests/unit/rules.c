#define _XOPEN_SOURCE 700 // mkdtemp

#include "playback/rules.h"

#include "failing_allocator.h"
#include "rules_fixture.h"

#include <math.h>

// ---- reading

TEST(all_kinds_of_rules)
{
    RulesFixture f = rules_begin("a");
    const char *text = "\xEF\xBB\xBF# a project\r\n"
                       "\n"
                       "between duct* wall*   # only these\r\n"
                       "\tignore link1 \"link 2\"\n"
                       "group robot/*\n"
                       "clearance 0.05 duct* wall*\n"
                       "clearance 1e-3\n"
                       "touch-depth 0 wall#1 \"a \\\"b\\\\ \\*\"";
    if (!CHECK_INT(rules_add(&f, text), IMP_STATUS_OK))
        printf("  %s\n", rules_error(&f));
    const impi_Rule *rules = f.rules.list.data;
    CHECK_INT((int64_t)f.rules.list.count, 6);
    CHECK_INT(rules[0].kind, IMPI_RULE_BETWEEN);
    CHECK_TEXT(rules[0].names[0], "duct*");
    CHECK_TEXT(rules[0].names[1], "wall*");
    CHECK_TEXT(rules[0].origin, "rules.txt");
    CHECK_INT((int64_t)rules[0].line, 3);
    CHECK_INT(rules[1].kind, IMPI_RULE_IGNORE);
    CHECK_TEXT(rules[1].names[1], "link 2");
    CHECK_INT(rules[2].kind, IMPI_RULE_GROUP);
    CHECK_TEXT(rules[2].names[0], "robot/*");
    CHECK_TEXT(rules[2].names[1], "robot/*");
    CHECK_INT(rules[3].kind, IMPI_RULE_CLEARANCE);
    CHECK_DOUBLE(rules[3].length, 0.05);
    CHECK(rules[4].names[0] == NULL && rules[4].names[1] == NULL);
    CHECK_DOUBLE(rules[4].length, 1e-3);
    CHECK_INT(rules[5].kind, IMPI_RULE_TOUCH_DEPTH);
    CHECK_TEXT(rules[5].names[0], "wall#1");
    CHECK_TEXT(rules[5].names[1], "a \"b\\ \\*");
    CHECK_INT((int64_t)rules[5].line, 8);
    rules_end(&f);
}

TEST(texts_without_rules)
{
    RulesFixture f = rules_begin("a");
    static const char *const texts[] = {"", "\n", "\r\n\r\n", "# nothing", "  \t# nothing\n", "\xEF\xBB\xBF"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        CHECK_INT(rules_add(&f, texts[i]), IMP_STATUS_OK);
    CHECK_INT(impi_rules_add_text(&f.rules, NULL, 0, "empty"), IMP_STATUS_OK);
    CHECK_INT((int64_t)f.rules.list.count, 0);
    rules_end(&f);
}

TEST(what_is_wrong_with_a_rule_is_told_with_its_line)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"\n\nclearance abc", "rules.txt:3: expected a length after 'clearance', got 'abc'"},
        {"clearance", "rules.txt:1: expected a length after 'clearance', got the end of the line"},
        {"clearance nan a b", "rules.txt:1: expected a length after 'clearance', got 'nan'"},
        {"clearance 1mm", "rules.txt:1: expected a length after 'clearance', got '1mm'"},
        {"clearance \"\" a b", "rules.txt:1: expected a length after 'clearance', got ''"},
        {"touch-depth -1",
         "rules.txt:1: expected a finite length of 0 or more after 'touch-depth', got '-1'"},
        {"clearance 1e999",
         "rules.txt:1: expected a finite length of 0 or more after 'clearance', got '1e999'"},
        {"ignore a", "rules.txt:1: expected two names after 'ignore', got 1"},
        {"ignore a b c",
         "rules.txt:1: expected two names after 'ignore', got 3; a name with blanks in it stands "
         "in double quotes"},
        {"between a b c d e f g",
         "rules.txt:1: expected two names after 'between', got 7; a name with blanks in "
         "it stands in double quotes"},
        {"group", "rules.txt:1: expected one name after 'group', got 0"},
        {"group a b",
         "rules.txt:1: expected one name after 'group', got 2; a name with blanks in it stands in "
         "double quotes"},
        {"clearance 1 a", "rules.txt:1: expected two names or none after 'clearance LENGTH', got 1"},
        {"ignroe a b", "rules.txt:1: there is no rule 'ignroe', did you mean 'ignore'?"},
        {"Ignore a b", "rules.txt:1: there is no rule 'Ignore', did you mean 'ignore'?"},
        {"forbid a b", "rules.txt:1: there is no rule 'forbid', expected 'between', 'ignore', 'group', "
                       "'clearance' or 'touch-depth'"},
        {"ignore a \"b", "rules.txt:1: a quote is opened and not closed on the same line"},
        {"ignore a \"b\nc\"", "rules.txt:1: a quote is opened and not closed on the same line"},
        {"ignore \"a\\\"", "rules.txt:1: a quote is opened and not closed on the same line"},
        {"ignore \"a\"b c", "rules.txt:1: expected a blank behind the quoted word \"a\""},
        {"ignore a\"b\" c", "rules.txt:1: there is a quote inside a word: put all of the word in quotes"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        RulesFixture f = rules_begin("a");
        CHECK_INT(rules_add(&f, "ignore x y\n"), IMP_STATUS_OK);
        CHECK_INT(rules_add(&f, cases[i].text), IMP_STATUS_BAD_FILE);
        CHECK_TEXT(rules_error(&f), cases[i].message);
        CHECK_INT((int64_t)f.rules.list.count, 1); // as it was
        rules_end(&f);
    }
}

TEST(zero_bytes_and_long_words)
{
    RulesFixture f = rules_begin("a");
    CHECK_INT(impi_rules_add_text(&f.rules, "ignore a b\nign\0re a b", 22, "z"), IMP_STATUS_BAD_FILE);
    CHECK_TEXT(rules_error(&f), "z:2: there is a zero byte: this is no text");
    enum { LENGTH = 100000 };
    char *text = malloc(LENGTH + 64);
    memset(text, 'x', LENGTH);
    memcpy(text, "ignore ", 7);
    memcpy(text + LENGTH, " y", 3);
    CHECK_INT(rules_add(&f, text), IMP_STATUS_OK);
    CHECK_INT((int64_t)strlen(f.rules.list.data[0].names[0]), LENGTH - 7);
    memcpy(text, "clearance ", 10);
    CHECK_INT(rules_add(&f, text), IMP_STATUS_BAD_FILE);
    CHECK_CONTAINS(rules_error(&f), "rules.txt:1: expected a length after 'clearance', got 'xxxx");
    // Quadratic where each word looks for its end at the end of the line.
    for (int i = 0; i + 5 < LENGTH; i += 5)
        memcpy(text + i, "\"\\\\\" ", 5);
    text[LENGTH] = 0;
    CHECK_INT(rules_add(&f, text), IMP_STATUS_BAD_FILE);
    free(text);
    rules_end(&f);
}

TEST(ignored_pairs)
{
    RulesFixture f = rules_begin("a");
    const char *text = "# neighbours\nlink1 link2\nlink2,link3\n link3 , link4\n\"a, b\",c\n";
    CHECK_INT(impi_rules_add_ignore_text(&f.rules, text, strlen(text), "acm.txt"), IMP_STATUS_OK);
    CHECK_INT((int64_t)f.rules.list.count, 4);
    CHECK_TEXT(f.rules.list.data[1].names[0], "link2");
    CHECK_TEXT(f.rules.list.data[2].names[1], "link4");
    CHECK_TEXT(f.rules.list.data[3].names[0], "a, b");
    CHECK_INT((int64_t)f.rules.list.data[3].line, 5);
    CHECK_INT(impi_rules_add_ignore_text(&f.rules, "a b\na\n", 6, "acm.txt"), IMP_STATUS_BAD_FILE);
    CHECK_TEXT(rules_error(&f), "acm.txt:2: expected the names of two bodies, \"A B\" or \"A,B\", got 1");
    CHECK_INT(impi_rules_add_ignore_text(&f.rules, "a b c", 5, "acm.txt"), IMP_STATUS_BAD_FILE);
    CHECK_TEXT(rules_error(&f),
               "acm.txt:1: expected the names of two bodies, \"A B\" or \"A,B\", got 3; put a "
               "comma between them, or names in double quotes");
    f.rules.list.count = 0;
    text = "left upper arm, left forearm # joined\n a  b ,\"c, d\" \n";
    CHECK_INT(impi_rules_add_ignore_text(&f.rules, text, strlen(text), "acm.txt"), IMP_STATUS_OK);
    CHECK_TEXT(f.rules.list.data[0].names[0], "left upper arm");
    CHECK_TEXT(f.rules.list.data[0].names[1], "left forearm");
    CHECK_TEXT(f.rules.list.data[1].names[0], "a  b");
    CHECK_TEXT(f.rules.list.data[1].names[1], "c, d");
    rules_end(&f);
}

TEST(rules_from_options)
{
    RulesFixture f = rules_begin("a");
    CHECK_INT(impi_rules_add_ignored(&f.rules, "link1,link2", "--ignore link1,link2"), IMP_STATUS_OK);
    CHECK_TEXT(f.rules.list.data[0].names[1], "link2");
    CHECK_TEXT(f.rules.list.data[0].origin, "--ignore link1,link2");
    CHECK_INT(impi_rules_add_ignored(&f.rules, "link1", "--ignore link1"), IMP_STATUS_BAD_ARGUMENT);
    CHECK_TEXT(rules_error(&f),
               "--ignore link1: expected the names of two bodies, \"A B\" or \"A,B\", got 1");
    CHECK_INT(impi_rules_add_ignored(&f.rules, "\"a", "--ignore"), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(impi_rules_add(&f.rules, IMPI_RULE_CLEARANCE, NULL, NULL, -0.0, "--clearance -0"),
              IMP_STATUS_OK);
    CHECK(!signbit(f.rules.list.data[1].length));
    CHECK_INT(impi_rules_add(&f.rules, IMPI_RULE_GROUP, "a*", NULL, 0, "--group a*"), IMP_STATUS_OK);
    CHECK_TEXT(f.rules.list.data[2].names[1], "a*");
    CHECK_INT(impi_rules_add(&f.rules, IMPI_RULE_CLEARANCE, NULL, NULL, -1, "--clearance -1"),
              IMP_STATUS_BAD_ARGUMENT);
    CHECK_TEXT(rules_error(&f), "--clearance -1: 'clearance' takes a length of 0 or more, got -1");
    CHECK_INT(impi_rules_add(&f.rules, IMPI_RULE_TOUCH_DEPTH, "a", "b", NAN, "x"), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(impi_rules_add(&f.rules, IMPI_RULE_BETWEEN, "a", NULL, 0, "x"), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(impi_rules_add(&f.rules, IMPI_RULE_BETWEEN, NULL, NULL, 0, "x"), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(impi_rules_add(&f.rules, IMPI_RULE_GROUP, "a", "b", 0, "x"), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(impi_rules_add(&f.rules, IMPI_RULE_GROUP, NULL, "b", 0, "x"), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(impi_rules_add(&f.rules, IMPI_RULE_CLEARANCE, "a", NULL, 0, "x"), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT(impi_rules_add(&f.rules, IMPI_RULE_KINDS, "a", "b", 0, "x"), IMP_STATUS_BAD_ARGUMENT);
    CHECK_INT((int64_t)f.rules.list.count, 3);
    rules_end(&f);
}

TEST(rules_from_files)
{
    RulesFixture f = rules_begin("a");
    char folder[MAX_TEST_PATH];
    make_folder(folder);
    const char *path = path_in(folder, "rules");
    write_file(path, "ignore a b\n", 11);
    CHECK_INT(impi_rules_add_file(&f.rules, path), IMP_STATUS_OK);
    CHECK_TEXT(f.rules.list.data[0].origin, path);
    CHECK_INT(impi_rules_add_ignore_file(&f.rules, path), IMP_STATUS_BAD_FILE); // three words
    FILE *file = fopen(path, "wb");
    CHECK(fseek(file, (long)IMPI_MAX_RULE_FILE, SEEK_SET) == 0 && fputc('\n', file) == '\n');
    fclose(file);
    CHECK_INT(impi_rules_add_file(&f.rules, path), IMP_STATUS_TOO_LARGE);
    CHECK_CONTAINS(rules_error(&f), "rules: a file of rules has at most 16777216 bytes, this one is longer");
    CHECK_INT(impi_rules_add_file(&f.rules, path_in(folder, "missing")), IMP_STATUS_IO);
    CHECK_INT((int64_t)f.rules.list.count, 1);
    remove_folder(folder);
    rules_end(&f);
}

TEST(rules_without_memory)
{
    static const char text[] = "ignore a \"b\"\nclearance 1\ngroup x*\n# and more\nbetween a b\n";
    FailingAllocator memory;
    uint64_t n = 0;
    do {
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        imp_Status status = imp_context_create(&def, &context);
        if (status == IMP_STATUS_OK) {
            impi_Rules rules;
            impi_rules_init(&rules, context);
            status = impi_rules_add_text(&rules, text, sizeof text - 1, "rules.txt");
            CHECK_INT((int64_t)rules.list.count, status == IMP_STATUS_OK ? 4 : 0);
            if (status == IMP_STATUS_OK)
                status = impi_rules_add_ignored(&rules, "a,b", "--ignore a,b");
            for (int i = 0; i < 40 && status == IMP_STATUS_OK; ++i)
                status = impi_rules_add(&rules, IMPI_RULE_CLEARANCE, "a", "b", i, "--clearance");
            impi_rules_free(&rules);
        }
        CHECK_INT(status, failing_allocator_has_failed(&memory) ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 4);
}
