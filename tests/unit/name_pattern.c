#include "playback/name_pattern.h"

#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

TEST(what_fits_which_pattern)
{
    static const struct {
        const char *pattern, *name;
        bool fits;
    } cases[] = {
        {"wall", "wall", true},
        {"wall", "Wall", false},
        {"wall", "wall_3", false},
        {"wall*", "wall", true},
        {"wall*", "wall_3", true},
        {"*", "", true},
        {"*", "a/b/c", true},
        {"**", "x", true},
        {"", "", true},
        {"", "x", false},
        {"?", "", false},
        {"?", "\xC3\xA9", true}, // one character in two bytes
        {"??", "\xC3\xA9", false},
        {"?", "\xF0\x9F\xA6\x8A", true},
        {"??", "\xC3\xC3", true}, // two stray bytes
        {"?", "\xC3", true},
        {"left/*", "left/arm/hand", true},
        {"*arm", "left/arm", true},
        {"*a*b*c", "xxaxxbxxbc", true},
        {"*a*b*c", "xxaxxbxxbcx", false},
        {"link[123]", "link2", true},
        {"link[123]", "link4", false},
        {"link[1-3]x", "link3x", true},
        {"link[!1-3]", "link3", false},
        {"link[!1-3]", "link4", true},
        {"[a-]", "-", true},
        {"[a-]", "b", false},
        {"[-a]", "-", true},
        {"[z-a]", "m", false}, // a range from back to front has nothing in it
        {"[\xC3\xA0-\xC3\xBC]", "\xC3\xA9", true},
        {"[\xC3\xA0-\xC3\xBC]", "\xC3\xBF", false},
        {"[\\]]", "]", true},
        {"[\\!]", "!", true},
        {"[]", "]", false},
        {"[!]", "x", true},
        {"a[", "a[", true},
        {"a[b", "a[b", true},
        {"[a[b*", "[a[bc", true},
        {"[a\\]", "[a]", true}, // never closed, so that the backslash is outside
        {"\\*", "*", true},
        {"\\*", "x", false},
        {"\\\\", "\\", true},
        {"\\", "\\", true},
        {"part\\[1\\]", "part[1]", true},
        {"part[1]", "part[1]", false},
        {"part[1]", "part1", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        if (!CHECK_INT(impi_name_matches(cases[i].pattern, cases[i].name), cases[i].fits))
            printf("  '%s' and '%s'\n", cases[i].pattern, cases[i].name);
}

TEST(what_is_a_pattern)
{
    CHECK(impi_is_pattern("wall*") && impi_is_pattern("?") && impi_is_pattern("a[b") &&
          impi_is_pattern("\\"));
    CHECK(!impi_is_pattern("") && !impi_is_pattern("left/arm.stl") && !impi_is_pattern("]!-#"));
    CHECK_INT((int64_t)impi_pattern_prefix_length("wall_?"), 5);
    CHECK_INT((int64_t)impi_pattern_prefix_length("wall"), 4);
}

// The same rules, written without a thought for time.
static bool matches_slowly(const char *pattern, const char *name)
{
    if (!*pattern)
        return !*name;
    if (*pattern == '*')
        return matches_slowly(pattern + 1, name) || (*name && matches_slowly(pattern, name + 1));
    if (!*name)
        return false;
    const char *close = *pattern == '[' ? strchr(pattern, ']') : NULL;
    if (close) {
        bool is_excluding = pattern[1] == '!', is_found = false;
        for (const char *c = pattern + 1 + is_excluding; c < close; ++c)
            is_found = is_found || *c == *name;
        return is_found != is_excluding && matches_slowly(close + 1, name + 1);
    }
    return (*pattern == '?' || *pattern == *name) && matches_slowly(pattern + 1, name + 1);
}

TEST(random_patterns_fit_what_slow_rules_say)
{
    uint64_t count = test_count(300000), fitting = 0;
    static const char letters[] = "aab**?[]!";
    for (uint64_t i = 0; i < count; ++i) {
        char pattern[10] = {0}, name[10] = {0};
        uint32_t pattern_length = test_random_below(9), name_length = test_random_below(7);
        for (uint32_t k = 0; k < pattern_length; ++k)
            pattern[k] = letters[test_random_below(sizeof letters - 1)];
        for (uint32_t k = 0; k < name_length; ++k)
            name[k] = "aaab["[test_random_below(5)];
        bool fits = matches_slowly(pattern, name);
        fitting += fits;
        if (!CHECK_INT(impi_name_matches(pattern, name), fits))
            printf("  '%s' and '%s'\n", pattern, name);
    }
    CHECK(fitting > count / 20 && fitting < count / 2);
}

// Exponential in other matchers; cubic where each '[' looks for its end again.
TEST(hostile_patterns_take_no_long_time)
{
    enum { STARS = 2000, LENGTH = 4000 };
    char *pattern = malloc(2 * STARS + 2), *name = malloc(LENGTH + 1);
    memset(name, 'a', LENGTH);
    name[LENGTH] = 0;
    for (int i = 0; i < STARS; ++i)
        memcpy(pattern + (size_t)2 * (size_t)i, "*a", 2);
    memcpy(pattern + (size_t)2 * STARS, "b", 2);
    CHECK(!impi_name_matches(pattern, name));
    pattern[(size_t)2 * STARS] = 0;
    CHECK(impi_name_matches(pattern, name));
    memset(pattern, '[', STARS);
    memcpy(pattern, "*", 1);
    memcpy(pattern + STARS, "b", 2);
    memset(name, '[', LENGTH);
    CHECK(!impi_name_matches(pattern, name));
    free(pattern);
    free(name);
}
