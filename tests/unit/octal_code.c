#include "geom/octal_code.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

typedef struct Cell {
    int x, y, z;
} Cell;

// One bit of each axis from each digit.
static Cell cell_of(uint32_t digits)
{
    Cell cell = {0, 0, 0};
    for (int level = 0; digits >> 3 * level; ++level) {
        cell.x |= (int)(digits >> 3 * level & 1) << level;
        cell.y |= (int)(digits >> (3 * level + 1) & 1) << level;
        cell.z |= (int)(digits >> (3 * level + 2) & 1) << level;
    }
    return cell;
}

// `level` is even.
static uint32_t hilbert_digits(const impi_HilbertTable *table, uint32_t digits, int level)
{
    uint32_t hilbert = 0, state = 0;
    for (int shift = 3 * level - 6; shift >= 0; shift -= 6) {
        uint32_t step = table->steps[state][digits >> shift & 63];
        hilbert = hilbert << 6 | (step & 63);
        state = step >> 6;
    }
    return hilbert;
}

TEST(hilbert_neighbours_share_a_face)
{
    static Cell cells[1 << 18];
    static bool is_known[1 << 18];
    impi_HilbertTable table;
    impi_hilbert_table_init(&table);
    for (int level = 2; level <= 6; level += 2) {
        uint32_t count = 1u << 3 * level;
        memset(is_known, 0, sizeof is_known);
        for (uint32_t digits = 0; digits < count; ++digits) {
            uint32_t position = hilbert_digits(&table, digits, level);
            if (!CHECK(position < count && !is_known[position]))
                return;
            is_known[position] = true;
            cells[position] = cell_of(digits);
        }
        for (uint32_t i = 1; i < count; ++i) {
            Cell last = cells[i - 1], cell = cells[i];
            int apart = abs(cell.x - last.x) + abs(cell.y - last.y) + abs(cell.z - last.z);
            if (!CHECK_INT(apart, 1))
                return;
        }
    }
}

// Also from level to level within one look-up: the first of its two digits is a curve of its own.
TEST(hilbert_order_is_a_walk_of_the_tree)
{
    impi_HilbertTable table;
    impi_hilbert_table_init(&table);
    for (int state = 0; state < IMPI_HILBERT_STATES; ++state)
        for (unsigned octants = 0; octants < 64; ++octants) {
            unsigned sibling = octants & ~7u;
            CHECK_INT(table.steps[state][octants] >> 3 & 7, table.steps[state][sibling] >> 3 & 7);
        }
    for (uint64_t i = 0; i < test_count(1000); ++i) {
        uint32_t digits = test_random_below(1u << 30), hilbert = hilbert_digits(&table, digits, 10);
        for (int level = 2; level < 10; level += 2) { // cells above have the leading digits
            int shift = 3 * (10 - level);
            if (!CHECK_INT(hilbert_digits(&table, digits >> shift, level), hilbert >> shift))
                return;
        }
    }
}

TEST(spread_bits)
{
    for (uint32_t value = 0; value < 1024; ++value) {
        Cell cell = cell_of(impi_octal_spread10(value));
        if (!CHECK(cell.x == (int)value && cell.y == 0 && cell.z == 0))
            return;
    }
    CHECK_INT(impi_octal_spread10(0x400), 0);
}
