#include "geom/octal_code.h"
#include "harness.h"

#include <stdlib.h>

TEST(codes_name_cells)
{
    CHECK_INT((int64_t)impi_octal_encode((impi_OctalCell){0, 0, 0, 0}), 1);
    CHECK_INT((int64_t)impi_octal_encode((impi_OctalCell){1, 0, 1, 1}), 015);
    CHECK_INT((int64_t)impi_octal_encode((impi_OctalCell){2, 3, 0, 2}), 0132);
    impi_OctalCell cell = impi_octal_decode(0132);
    CHECK_INT(cell.x, 2);
    CHECK_INT(cell.y, 3);
    CHECK_INT(cell.z, 0);
    CHECK_INT(cell.level, 2);
}

static impi_OctalCell random_cell(void)
{
    uint32_t level = test_random_below(IMPI_OCTAL_MAX_LEVEL + 1), cells = 1u << level;
    return (impi_OctalCell){test_random_below(cells), test_random_below(cells), test_random_below(cells),
                            level};
}

TEST(decoding_undoes_encoding)
{
    for (uint64_t i = 0; i < test_count(10000); ++i) {
        impi_OctalCell cell = random_cell(), back = impi_octal_decode(impi_octal_encode(cell));
        if (!CHECK(cell.x == back.x && cell.y == back.y && cell.z == back.z && cell.level == back.level))
            return;
        CHECK_INT(impi_octal_level(impi_octal_encode(cell)), cell.level);
    }
}

TEST(parents_and_children)
{
    for (uint64_t i = 0; i < test_count(10000); ++i) {
        impi_OctalCell cell = random_cell();
        if (cell.level == 0)
            continue;
        impi_OctalCode code = impi_octal_encode(cell);
        impi_OctalCell parent = impi_octal_decode(impi_octal_parent(code));
        CHECK(parent.x == cell.x / 2 && parent.y == cell.y / 2 && parent.z == cell.z / 2 &&
              parent.level == cell.level - 1);
        unsigned octant = (cell.x & 1) | (cell.y & 1) << 1 | (cell.z & 1) << 2;
        if (!CHECK(impi_octal_child(impi_octal_parent(code), octant) == code))
            return;
    }
    CHECK_INT((int64_t)impi_octal_parent(IMPI_OCTAL_ROOT), 0);
}

// The slow way: go up from both until they meet.
static impi_OctalCode meet(impi_OctalCode a, impi_OctalCode b)
{
    while (a != b) {
        if (impi_octal_level(a) >= impi_octal_level(b))
            a = impi_octal_parent(a);
        else
            b = impi_octal_parent(b);
    }
    return a;
}

TEST(common_paths)
{
    int deep = 0;
    for (uint64_t i = 0; i < test_count(10000); ++i) {
        impi_OctalCell cell = random_cell();
        impi_OctalCode a = impi_octal_encode(cell), b = a;
        for (uint32_t up = test_random_below(cell.level + 1); up > 0; --up)
            b = impi_octal_parent(b);
        while (impi_octal_level(b) < IMPI_OCTAL_MAX_LEVEL && test_random_below(4))
            b = impi_octal_child(b, test_random_below(8));
        impi_OctalCode want = meet(a, b);
        deep += impi_octal_level(want) > 3;
        CHECK(impi_octal_common_path(a, b) == want);
        CHECK(impi_octal_contains(want, a) && impi_octal_contains(want, b));
        if (!CHECK(impi_octal_contains(a, b) == (want == a)))
            return;
    }
    CHECK(deep > 0);
}

TEST(order_is_a_walk_of_the_tree)
{
    int before = 0, inside = 0;
    for (uint64_t i = 0; i < test_count(10000); ++i) {
        impi_OctalCode a = impi_octal_encode(random_cell()), b = impi_octal_encode(random_cell());
        int order = impi_octal_compare(a, b);
        CHECK_INT(impi_octal_compare(b, a), -order);
        CHECK((order == 0) == (a == b));
        if (a == b)
            continue;
        impi_OctalCode common = impi_octal_common_path(a, b);
        inside += common == a || common == b;
        if (common == a || common == b) { // the outer one comes first
            CHECK_INT(order, common == a ? -1 : 1);
            continue;
        }
        // Otherwise the octants decide in which they part.
        unsigned level = impi_octal_level(common);
        uint64_t octant_a = a >> 3 * (impi_octal_level(a) - level - 1) & 7;
        uint64_t octant_b = b >> 3 * (impi_octal_level(b) - level - 1) & 7;
        before += order < 0;
        if (!CHECK_INT(order, octant_a < octant_b ? -1 : 1))
            return;
    }
    CHECK(before > 0 && inside > 0);
}

TEST(hilbert_neighbours_share_a_face)
{
    for (unsigned level = 1; level <= 4; ++level) {
        impi_OctalCell last = {0, 0, 0, 0};
        for (uint64_t i = 0; i < (uint64_t)1 << 3 * level; ++i) {
            uint64_t digits = impi_octal_from_hilbert(i, level);
            if (!CHECK(impi_hilbert_from_octal(digits, level) == i))
                return;
            impi_OctalCell cell = impi_octal_decode((uint64_t)1 << 3 * level | digits);
            int apart = abs((int)cell.x - (int)last.x) + abs((int)cell.y - (int)last.y) +
                        abs((int)cell.z - (int)last.z);
            if (i > 0 && !CHECK_INT(apart, 1))
                return;
            last = cell;
        }
    }
}

TEST(hilbert_order_is_a_walk_of_the_tree)
{
    for (uint64_t i = 0; i < test_count(1000); ++i) {
        uint64_t digits = test_random() & (((uint64_t)1 << 60) - 1);
        uint64_t hilbert = impi_hilbert_from_octal(digits, 20);
        for (unsigned level = 0; level < 20; ++level) { // cells above have the leading digits
            unsigned shift = 3 * (20 - level);
            if (!CHECK(impi_hilbert_from_octal(digits >> shift, level) == hilbert >> shift))
                return;
        }
        CHECK(impi_octal_from_hilbert(hilbert, 20) == digits);
    }
}

TEST(the_table_takes_two_levels_at_once)
{
    impi_HilbertTable table;
    impi_hilbert_table_init(&table);
    for (uint32_t digits = 0; digits < 1 << 12; ++digits) {
        unsigned first = table.steps[0][digits >> 6], second = table.steps[first >> 6][digits & 63];
        if (!CHECK_INT((first & 63) << 6 | (second & 63), (int64_t)impi_hilbert_from_octal(digits, 4)))
            return;
    }
}

TEST(spread_bits)
{
    for (uint32_t value = 0; value < 1024; ++value) {
        uint64_t code = impi_octal_encode((impi_OctalCell){value, 0, 0, 10});
        if (!CHECK_INT(impi_octal_spread10(value), (int64_t)(code ^ (uint64_t)1 << 30)))
            return;
    }
}
