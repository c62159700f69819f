#include "playback/pair_rules.h"

#include "failing_allocator.h"
#include "playback/name_pattern.h"
#include "rules_fixture.h"

static impi_PairRule rule_of(const RulesFixture *f, const char *a, const char *b)
{
    uint32_t body_a = 0, body_b = 0;
    CHECK_INT(impi_body_names_find_one(f->context, f->names, IMPI_NO_PLACE, a, &body_a), IMP_STATUS_OK);
    CHECK_INT(impi_body_names_find_one(f->context, f->names, IMPI_NO_PLACE, b, &body_b), IMP_STATUS_OK);
    return impi_pair_rules_of(f->bound, body_a, body_b);
}

static RulesFixture bind_text(const char *body_names, const char *text)
{
    RulesFixture f = rules_begin(body_names);
    CHECK_INT(rules_add(&f, text), IMP_STATUS_OK);
    if (!CHECK_INT(rules_bind(&f), IMP_STATUS_OK))
        printf("  %s\n", rules_error(&f));
    return f;
}

// ---- meaning

TEST(without_rules_all_pairs_are_compared)
{
    RulesFixture f = bind_text("a b", "");
    impi_PairRule rule = rule_of(&f, "a", "b");
    double clearance = 7;
    CHECK(!rule.is_ignored && !rule.has_clearance && !rule.has_touch_depth);
    CHECK(!impi_pair_rules_max_clearance(f.bound, &clearance) && clearance == 0);
    CHECK(!impi_pair_rules_has_touch_depth(f.bound) && !impi_pair_rules_excludes(f.bound));
    CHECK_INT((int64_t)impi_pair_rules_remark_count(f.bound), 0);
    rules_end(&f);
}

TEST(ignored_pairs_have_no_order)
{
    RulesFixture f = bind_text("a b c", "ignore a b");
    CHECK(rule_of(&f, "a", "b").is_ignored && rule_of(&f, "b", "a").is_ignored);
    CHECK(!rule_of(&f, "a", "c").is_ignored && !rule_of(&f, "b", "c").is_ignored);
    CHECK(impi_pair_rules_excludes(f.bound));
    CHECK(!impi_pair_rules_of(f.bound, 0, 99).is_ignored);
    rules_end(&f);
}

TEST(groups_are_not_compared_within_themselves)
{
    RulesFixture f = bind_text("r1 r2 s1 s2", "group r*\ngroup s*");
    CHECK(rule_of(&f, "r1", "r2").is_ignored && rule_of(&f, "s1", "s2").is_ignored);
    CHECK(!rule_of(&f, "r1", "s1").is_ignored);
    rules_end(&f);
}

TEST(only_what_between_names_is_compared)
{
    RulesFixture f = bind_text("duct1 duct2 wall slab", "between duct* wall\nbetween slab wall\n");
    CHECK(!rule_of(&f, "duct1", "wall").is_ignored && !rule_of(&f, "wall", "slab").is_ignored);
    CHECK(rule_of(&f, "duct1", "duct2").is_ignored && rule_of(&f, "duct1", "slab").is_ignored);
    CHECK(impi_pair_rules_excludes(f.bound));
    rules_end(&f);
}

TEST(ignore_wins_over_between_wherever_it_stands)
{
    RulesFixture f = bind_text("a1 a2 b", "ignore a1 b\nbetween a* b");
    CHECK(rule_of(&f, "a1", "b").is_ignored && !rule_of(&f, "a2", "b").is_ignored);
    rules_end(&f);
}

TEST(the_last_length_counts)
{
    RulesFixture f = bind_text("duct1 duct2 wall1 wall2",
                               "clearance 0.1\nclearance 0.5 duct* wall*\nclearance 0 wall2 duct2\n"
                               "touch-depth 0.01 duct1 wall1\n");
    double clearance = 0;
    CHECK_DOUBLE(rule_of(&f, "duct1", "duct2").clearance, 0.1);
    CHECK_DOUBLE(rule_of(&f, "duct1", "wall2").clearance, 0.5);
    CHECK_DOUBLE(rule_of(&f, "duct2", "wall2").clearance, 0);
    CHECK(rule_of(&f, "duct2", "wall2").has_clearance && !rule_of(&f, "duct2", "wall2").has_touch_depth);
    CHECK(rule_of(&f, "duct1", "wall1").has_touch_depth);
    CHECK_DOUBLE(rule_of(&f, "duct1", "wall1").touch_depth, 0.01);
    CHECK(impi_pair_rules_max_clearance(f.bound, &clearance) && clearance == 0.5);
    CHECK(impi_pair_rules_has_touch_depth(f.bound) && !impi_pair_rules_excludes(f.bound));
    // An option comes behind the file, and holds for those pairs too that the file has a length for.
    CHECK_INT(impi_rules_add(&f.rules, IMPI_RULE_CLEARANCE, "duct1", "*", 2, "--clearance"), IMP_STATUS_OK);
    CHECK_INT(rules_bind(&f), IMP_STATUS_OK);
    CHECK_DOUBLE(rule_of(&f, "duct1", "wall2").clearance, 2);
    CHECK_DOUBLE(rule_of(&f, "duct2", "wall1").clearance, 0.5);
    rules_end(&f);
}

// ---- remarks

static void check_remarks(const char *body_names, const char *text, const char *expected)
{
    RulesFixture f = bind_text(body_names, text);
    char got[2048] = "";
    for (size_t i = 0; f.bound && i < impi_pair_rules_remark_count(f.bound); ++i)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s\n", impi_pair_rules_remark(f.bound, i));
    CHECK_TEXT(got, expected);
    rules_end(&f);
}

TEST(duplicates_are_told_with_both_lines)
{
    check_remarks("a b c", "ignore a b\nignore a c\nignore b a\nignore a b\n",
                  "rules.txt:3: 'ignore b a' is there twice, first at rules.txt:1\n"
                  "rules.txt:4: 'ignore a b' is there twice, first at rules.txt:1\n");
    check_remarks("a b c", "clearance 1\nclearance 1.0 # again\nclearance 1 a b\ntouch-depth 1\n",
                  "rules.txt:2: 'clearance 1' is there twice, first at rules.txt:1\n");
    check_remarks("a b", "group *\ngroup *\n",
                  "rules.txt:2: 'group *' is there twice, first at rules.txt:1\n");
}

TEST(names_that_fit_nothing_are_told_once)
{
    check_remarks("link1 link2",
                  "ignore lnk1 link2\nignore elephant link2\nbetween duct* *\nignore duct* lnk1\n",
                  "rules.txt:1: no body is named 'lnk1'; did you mean 'link1'?\n"
                  "rules.txt:2: no body is named 'elephant'\n"
                  "rules.txt:3: no body fits 'duct*'\n");
    check_remarks("link1", "ignore x x\n", "rules.txt:1: no body is named 'x'\n");
    check_remarks("", "ignore x y\nclearance 1\n",
                  "rules.txt:1: no body is named 'x'\nrules.txt:1: no body is named 'y'\n");
}

TEST(rules_that_name_no_pair_are_told)
{
    check_remarks("a b1", "ignore a a\nclearance 1 b* b1\ngroup b*\n",
                  "rules.txt:1: 'ignore a a' names only one body, and no pair\n"
                  "rules.txt:2: 'clearance 1 b* b1' names only one body, and no pair\n"
                  "rules.txt:3: 'group b*' names only one body, and no pair\n");
}

TEST(options_stand_for_file_and_line)
{
    RulesFixture f = rules_begin("a b");
    CHECK_INT(rules_add(&f, "ignore a b"), IMP_STATUS_OK);
    CHECK_INT(impi_rules_add_ignored(&f.rules, "b,a", "--ignore b,a"), IMP_STATUS_OK);
    CHECK_INT(rules_bind(&f), IMP_STATUS_OK);
    CHECK_INT((int64_t)impi_pair_rules_remark_count(f.bound), 1);
    CHECK_TEXT(impi_pair_rules_remark(f.bound, 0),
               "--ignore b,a: 'ignore b a' is there twice, first at rules.txt:1");
    rules_end(&f);
}

// ---- errors

static void check_refused(const char *body_names, const char *text, const char *message)
{
    RulesFixture f = rules_begin(body_names);
    CHECK_INT(rules_add(&f, text), IMP_STATUS_OK);
    CHECK_INT(rules_bind(&f), IMP_STATUS_BAD_FILE);
    CHECK_TEXT(rules_error(&f), message);
    CHECK(f.bound == NULL);
    rules_end(&f);
}

TEST(a_name_that_fits_two_bodies_is_an_error)
{
    check_refused("arm arm hand", "ignore hand h*\nignore hand arm\n",
                  "rules.txt:2: 'arm' fits 2 bodies: 0 (arm) and 1 (arm)");
}

TEST(rules_that_contradict_each_other)
{
    check_refused("duct1 wall1 wall2", "clearance 0.5 duct* wall*\nignore duct* *\n",
                  "rules.txt:1: 'clearance 0.5 duct* wall*' decides nothing: rules.txt:2 ('ignore duct* *') "
                  "overrides it");
    check_refused("a b", "between a b\nignore b a\n",
                  "rules.txt:1: 'between a b' decides nothing: rules.txt:2 ('ignore b a') overrides it");
    check_refused("a b", "between a b\nignore 1 a\n",
                  "rules.txt:1: 'between a b' decides nothing: rules.txt:2 ('ignore 1 a') overrides it");
    check_refused(
        "r1 r2 r3", "group r*\ntouch-depth 1 r1 r*\n",
        "rules.txt:2: 'touch-depth 1 r1 r*' decides nothing: rules.txt:1 ('group r*') overrides it");
    check_refused("a b c", "clearance 1 a b\nclearance 2\n",
                  "rules.txt:1: 'clearance 1 a b' decides nothing: rules.txt:2 ('clearance 2') overrides it");
    check_refused("a b c", "clearance 1 a b\nclearance 2 [ab] ?\n",
                  "rules.txt:1: 'clearance 1 a b' decides nothing: rules.txt:2 ('clearance 2 [ab] ?') "
                  "overrides it");
}

// The rules of a project are used with a few of its parts, too.
TEST(an_exception_may_be_all_there_is)
{
    RulesFixture f = bind_text("duct1 wall1", "clearance 1\nclearance 2 duct* *\nclearance 3 duct1 wall*\n"
                                              "between d* *\nignore duct? roof*\n");
    CHECK_DOUBLE(rule_of(&f, "duct1", "wall1").clearance, 3);
    rules_end(&f);
}

TEST(an_option_that_contradicts_is_a_bad_argument)
{
    RulesFixture f = rules_begin("a b");
    CHECK_INT(rules_add(&f, "ignore a b"), IMP_STATUS_OK);
    CHECK_INT(impi_rules_add(&f.rules, IMPI_RULE_BETWEEN, "a", "b", 0, "--between a b"), IMP_STATUS_OK);
    CHECK_INT(rules_bind(&f), IMP_STATUS_BAD_ARGUMENT);
    CHECK_TEXT(rules_error(&f),
               "--between a b: 'between a b' decides nothing: rules.txt:1 ('ignore a b') overrides "
               "it");
    rules_end(&f);
}

TEST(what_is_no_contradiction)
{
    static const char *const texts[] = {
        "clearance 1 a b\nclearance 1 b a\n",   // the same again: told, but no error
        "clearance 1\nclearance 2 a b\n",       // general first, exceptions later
        "touch-depth 1 a b\nclearance 2 a b\n", // of different kinds
        "clearance 1 a b\nbetween b c\n",       // a question about fewer pairs
        "clearance 1 x* y*\nignore * *\n",      // it has no pairs
        "clearance 1 a a\nignore * *\n",        // nor has this one
        "clearance 1 a b\ntouch-depth 2\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
        RulesFixture f = rules_begin("a b c");
        CHECK_INT(rules_add(&f, texts[i]), IMP_STATUS_OK);
        CHECK_INT(rules_bind(&f), IMP_STATUS_OK);
        rules_end(&f);
    }
}

// ---- random rules against their meaning, pair by pair

#define BODIES 7

static bool names_pair(const impi_Rule *rule, const char *a, const char *b)
{
    if (!rule->names[0])
        return true;
    return (impi_name_matches(rule->names[0], a) && impi_name_matches(rule->names[1], b)) ||
           (impi_name_matches(rule->names[0], b) && impi_name_matches(rule->names[1], a));
}

static bool is_ignoring(const impi_Rule *rule)
{
    return rule->kind == IMPI_RULE_IGNORE || rule->kind == IMPI_RULE_GROUP;
}

static impi_PairRule slow_rule(const impi_Rules *rules, const char *a, const char *b)
{
    impi_PairRule answer = {0};
    bool has_between = false, is_named = false;
    for (size_t i = 0; i < rules->list.count; ++i) {
        const impi_Rule *rule = &rules->list.data[i];
        has_between = has_between || rule->kind == IMPI_RULE_BETWEEN;
        if (!names_pair(rule, a, b))
            continue;
        answer.is_ignored = answer.is_ignored || is_ignoring(rule);
        is_named = is_named || rule->kind == IMPI_RULE_BETWEEN;
        if (rule->kind == IMPI_RULE_CLEARANCE) {
            answer.has_clearance = true;
            answer.clearance = rule->length;
        }
        if (rule->kind == IMPI_RULE_TOUCH_DEPTH) {
            answer.has_touch_depth = true;
            answer.touch_depth = rule->length;
        }
    }
    answer.is_ignored = answer.is_ignored || (has_between && !is_named);
    return answer;
}

static bool is_overridden(const impi_Rules *rules, size_t index, const char *a, const char *b)
{
    const impi_Rule *rule = &rules->list.data[index];
    for (size_t i = 0; i < rules->list.count; ++i) {
        const impi_Rule *other = &rules->list.data[i];
        bool is_later = i > index && other->kind == rule->kind && other->kind != IMPI_RULE_BETWEEN &&
                        other->length != rule->length;
        if ((is_ignoring(other) || is_later) && names_pair(other, a, b))
            return true;
    }
    return false;
}

// Has the rule pairs, all of which others decide?
static bool decides_nothing(const impi_Rules *rules, const impi_BodyNames *names, size_t rule)
{
    bool has_pair = false;
    for (size_t a = 0; a < BODIES; ++a)
        for (size_t b = 0; b < a; ++b) {
            const char *name_a = impi_body_name(names, a), *name_b = impi_body_name(names, b);
            bool is_named = names_pair(&rules->list.data[rule], name_a, name_b);
            has_pair = has_pair || is_named;
            if (is_named && !is_overridden(rules, rule, name_a, name_b))
                return false;
        }
    return has_pair && !is_ignoring(&rules->list.data[rule]);
}

// Is there a rule of the same words, in any order, that overrides this one?
static bool is_contradicted(const impi_Rules *rules, size_t index)
{
    const impi_Rule *rule = &rules->list.data[index];
    for (size_t i = 0; rule->names[0] && i < rules->list.count; ++i) {
        const impi_Rule *other = &rules->list.data[i];
        bool is_later = i > index && other->kind == rule->kind && other->kind != IMPI_RULE_BETWEEN &&
                        other->length != rule->length;
        bool is_same =
            other->names[0] &&
            ((strcmp(other->names[0], rule->names[0]) == 0 && strcmp(other->names[1], rule->names[1]) == 0) ||
             (strcmp(other->names[0], rule->names[1]) == 0 && strcmp(other->names[1], rule->names[0]) == 0));
        if ((is_ignoring(other) || is_later) && is_same)
            return true;
    }
    return false;
}

// A refusal names a rule that decides nothing; what is not refused is not contradicted in its own words.
static void check_conflicts(RulesFixture *f, imp_Status status)
{
    bool is_told = false;
    for (size_t i = 0; i < f->rules.list.count; ++i) {
        char text[IMPI_MAX_RULE_DESCRIPTION], expected[IMPI_MAX_RULE_DESCRIPTION + 32];
        bool is_idle = decides_nothing(&f->rules, f->names, i);
        impi_rule_describe(&f->rules.list.data[i], text);
        snprintf(expected, sizeof expected, "random: '%s' decides nothing", text);
        is_told = is_told || (is_idle && status != IMP_STATUS_OK && strstr(rules_error(f), expected));
        if (status == IMP_STATUS_OK)
            CHECK(!is_idle || !is_contradicted(&f->rules, i));
    }
    CHECK(is_told == (status != IMP_STATUS_OK));
}

static void add_random_rule(RulesFixture *f)
{
    static const char *const patterns[] = {"a0", "a1", "b0", "c0", "a*", "?0", "b*", "*", "zz", "[ab]1"};
    const char *a = patterns[test_random_below(10)], *b = patterns[test_random_below(10)];
    impi_RuleKind kind = (impi_RuleKind)test_random_below(IMPI_RULE_KINDS);
    if (kind <= IMPI_RULE_GROUP && test_random_below(2))
        kind = IMPI_RULE_CLEARANCE;
    bool is_general = kind >= IMPI_RULE_CLEARANCE && test_random_below(6) == 0;
    CHECK_INT(impi_rules_add(&f->rules, kind, is_general ? NULL : a,
                             is_general || kind == IMPI_RULE_GROUP ? NULL : b, test_random_below(3),
                             "random"),
              IMP_STATUS_OK);
}

TEST(random_rules_mean_what_they_say)
{
    uint64_t count = test_count(20000), refused = 0, ignored = 0, with_clearance = 0, pairs = 0;
    RulesFixture f = rules_begin("a0 a1 a2 b0 b1 c0 d");
    for (uint64_t round = 0; round < count; ++round) {
        f.rules.list.count = 0;
        uint32_t rule_count = test_random_below(7);
        for (uint32_t i = 0; i < rule_count; ++i)
            add_random_rule(&f);
        imp_Status status = rules_bind(&f);
        check_conflicts(&f, status);
        refused += status != IMP_STATUS_OK;
        if (status != IMP_STATUS_OK)
            continue;
        for (uint32_t a = 0; a < BODIES; ++a)
            for (uint32_t b = 0; b < BODIES; ++b) {
                if (a == b)
                    continue;
                impi_PairRule got = impi_pair_rules_of(f.bound, a, b);
                impi_PairRule want =
                    slow_rule(&f.rules, impi_body_name(f.names, a), impi_body_name(f.names, b));
                CHECK(got.is_ignored == want.is_ignored && got.has_clearance == want.has_clearance &&
                      got.clearance == want.clearance && got.has_touch_depth == want.has_touch_depth &&
                      got.touch_depth == want.touch_depth);
                ++pairs;
                ignored += want.is_ignored;
                with_clearance += want.has_clearance;
            }
    }
    CHECK(refused > count / 20 && refused < count / 2);
    CHECK(ignored > pairs / 10 && ignored < pairs * 9 / 10);
    CHECK(with_clearance > pairs / 10 && with_clearance < pairs * 9 / 10);
    rules_end(&f);
}

// ---- many, and out of memory

TEST(ten_thousand_bodies_and_thousands_of_rules)
{
    enum { COUNT = 10000 };
    static char texts[COUNT][16];
    static const char *list[COUNT];
    RulesFixture f = rules_begin("");
    impi_body_names_destroy(f.names);
    for (int i = 0; i < COUNT; ++i) {
        snprintf(texts[i], sizeof texts[i], "part_%d", i);
        list[i] = texts[i];
    }
    CHECK_INT(impi_body_names_adopt(f.context, list, COUNT, &f.names), IMP_STATUS_OK);
    CHECK_INT(impi_rules_add(&f.rules, IMPI_RULE_CLEARANCE, NULL, NULL, 1, "general"), IMP_STATUS_OK);
    CHECK_INT(impi_rules_add(&f.rules, IMPI_RULE_CLEARANCE, "*", "part_1*", 2, "some"), IMP_STATUS_OK);
    for (int i = 0; i + 1 < COUNT; ++i)
        CHECK_INT(impi_rules_add(&f.rules, i % 2 ? IMPI_RULE_IGNORE : IMPI_RULE_TOUCH_DEPTH, texts[i],
                                 texts[i + 1], 0.5, "explicit"),
                  IMP_STATUS_OK);
    CHECK_INT(rules_bind(&f), IMP_STATUS_OK);
    uint64_t ignored = 0, deep = 0, far_apart = 0;
    for (uint32_t a = 0; a < COUNT; ++a)
        for (uint32_t b = a + 1; b < COUNT && b < a + 20; ++b) {
            impi_PairRule rule = impi_pair_rules_of(f.bound, a, b);
            ignored += rule.is_ignored;
            deep += rule.has_touch_depth;
            far_apart += rule.clearance == 2;
        }
    CHECK_INT((int64_t)ignored, COUNT / 2 - 1);
    CHECK_INT((int64_t)deep, COUNT / 2);
    CHECK(far_apart > 20000);
    rules_end(&f);
}

// Only rules that name a body of both are compared.
TEST(contradictions_among_many_bodies_are_found_soon)
{
    enum { COUNT = 4000 };
    static char texts[COUNT][16];
    static const char *list[COUNT];
    RulesFixture f = rules_begin("");
    impi_body_names_destroy(f.names);
    for (int i = 0; i < COUNT; ++i) {
        snprintf(texts[i], sizeof texts[i], "%s_%d", i % 2 ? "duct" : "wall", i);
        list[i] = texts[i];
    }
    CHECK_INT(impi_body_names_adopt(f.context, list, COUNT, &f.names), IMP_STATUS_OK);
    CHECK_INT(rules_add(&f, "clearance 1 wall* duct*\nclearance 2 d* w*\n"), IMP_STATUS_OK);
    CHECK_INT(rules_bind(&f), IMP_STATUS_BAD_FILE);
    rules_end(&f);
}

TEST(binding_without_memory)
{
    static const char *const own[] = {"a", "b", "c", "d"};
    FailingAllocator memory;
    uint64_t n = 0;
    do {
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        imp_Status status = imp_context_create(&def, &context);
        if (status == IMP_STATUS_OK) {
            impi_Rules rules;
            impi_BodyNames *names = NULL;
            impi_PairRules *bound = NULL;
            static const char text[] = "clearance 1\nignore a b\nignore b a\nclearance 2 c *\ngroup x*\n";
            impi_rules_init(&rules, context);
            status = impi_body_names_adopt(context, own, 4, &names);
            if (status == IMP_STATUS_OK)
                status = impi_rules_add_text(&rules, text, sizeof text - 1, "rules.txt");
            if (status == IMP_STATUS_OK)
                status = impi_rules_bind(&rules, names, &bound);
            CHECK((status == IMP_STATUS_OK) == (bound != NULL));
            impi_pair_rules_destroy(bound);
            impi_rules_free(&rules);
            impi_body_names_destroy(names);
        }
        CHECK_INT(status, failing_allocator_has_failed(&memory) ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 15);
}
