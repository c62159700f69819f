#include "kit/nearest_name.h"

#include "harness.h"

#include <string.h>

TEST(the_nearest_name_is_near)
{
    const char *const names[] = {"info", "convert", "check"};
    CHECK_TEXT(impi_nearest_name("inof", names, 3), "info");
    CHECK_TEXT(impi_nearest_name("chekc", names, 3), "check");
    CHECK_TEXT(impi_nearest_name("conv", names, 3), "convert");
    CHECK(impi_nearest_name("frobnicate", names, 3) == NULL);
    CHECK(impi_nearest_name("a-word-that-is-longer-than-any-name-could-be", names, 3) == NULL);
    CHECK(impi_nearest_name("info", NULL, 0) == NULL);
}

TEST(very_long_words_are_like_nothing)
{
    char word[200], other[200];
    memset(word, 'a', sizeof word);
    memset(other, 'a', sizeof other);
    word[199] = other[150] = 0;
    const char *const names[] = {other, ""};
    CHECK(impi_nearest_name(word, names, 2) == NULL);
    word[64] = 0;
    CHECK(impi_nearest_name(word, names, 2) == other); // it begins so
    word[0] = 'b';
    CHECK(impi_nearest_name(word, names, 2) == NULL);
}
