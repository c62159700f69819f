#include "kit/argument_text.h"

#include "harness.h"

#include <string.h>

TEST(numbers_end_where_they_end)
{
    static const struct {
        const char *text, *rest; // null: no number
        double value;
    } cases[] = {{"1.5", "", 1.5}, {"-2e3,4", ",4", -2000}, {".25 7", " 7", 0.25}, {"0x10", "x10", 0},
                 {"nan", NULL, 0}, {"", NULL, 0},           {" 1", NULL, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        double value = 0;
        const char *end = impi_number_parse(cases[i].text, &value);
        if (CHECK((end != NULL) == (cases[i].rest != NULL)) && end) {
            CHECK_TEXT(end, cases[i].rest);
            CHECK_DOUBLE(value, cases[i].value);
        }
    }
}

TEST(extensions_are_those_of_the_file_not_of_its_folder)
{
    CHECK(impi_file_ends_in("a.svg", "svg") && impi_file_ends_in("x.y/A.SVG", "svg"));
    CHECK(!impi_file_ends_in("a.svg/b", "svg") && !impi_file_ends_in("svg", "svg"));
    CHECK(impi_file_has_extension("scene.glb") && impi_file_has_extension("./scene.glb"));
    CHECK(!impi_file_has_extension("shuttles") && !impi_file_has_extension("../shuttles"));
    CHECK(!impi_file_has_extension("scene.") && !impi_file_has_extension(""));
}
