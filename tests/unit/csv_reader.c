#include "kit/csv_reader.h"

#include "failing_allocator.h"
#include "mesh_files.h"

// Fields in brackets, rows with their lines, and the error if there is one.
static void read_all(imp_Context *context, const char *bytes, size_t size, char *out, size_t capacity)
{
    // A copy of exactly this size, so that sanitizers see each byte that is read beyond it.
    char *copy = malloc(size + 1);
    memcpy(copy, bytes, size);
    impi_CsvReader reader;
    impi_csv_init(&reader, context, size ? copy : NULL, size, "a.csv");
    bool has_row = true;
    imp_Status status = IMP_STATUS_OK;
    *out = 0;
    while (status == IMP_STATUS_OK && has_row) {
        status = impi_csv_next_row(&reader, &has_row);
        if (status != IMP_STATUS_OK || !has_row)
            break;
        snprintf(out + strlen(out), capacity - strlen(out), "%d", (int)reader.row_line);
        for (size_t i = 0; i < reader.fields.count; ++i)
            snprintf(out + strlen(out), capacity - strlen(out), "[%s]", reader.fields.data[i]);
    }
    if (status != IMP_STATUS_OK)
        snprintf(out + strlen(out), capacity - strlen(out), "!%s", imp_context_get_error(context)->message);
    impi_csv_free(&reader);
    free(copy);
}

static void check_rows(const char *text, const char *expected)
{
    imp_Context *context = new_context();
    char got[1024];
    read_all(context, text, strlen(text), got, sizeof got);
    CHECK_TEXT(got, expected);
    imp_context_destroy(context);
}

TEST(rows_and_fields)
{
    check_rows("a,b\n1,2\n", "1[a][b]2[1][2]");
    check_rows("a,b\r\n1,2", "1[a][b]2[1][2]");
    check_rows("\xEF\xBB\xBF"
               "a,b",
               "1[a][b]");
    check_rows("a,,b,\n", "1[a][][b][]");
    check_rows("a,b,", "1[a][b][]");
    check_rows(",", "1[][]");
    check_rows("", "");
    check_rows("\n\r\n  \n", "");
    check_rows("\n\na\n\n\nb\n", "3[a]6[b]");
    check_rows(" a b ,\t c \r\n", "1[a b][c]");
    check_rows("\xC3\xA9,\xFF\n", "1[\xC3\xA9][\xFF]");
}

TEST(quoted_fields)
{
    check_rows("\"a,b\",c\n", "1[a,b][c]");
    check_rows("\"say \"\"yes\"\"\"\n", "1[say \"yes\"]");
    check_rows("\"\"\"\"\n", "1[\"]");
    check_rows("\"\",x\n", "1[][x]");
    check_rows("\"\"", "1[]");
    check_rows(" \" a \" , \"b\"\t\r\n", "1[ a ][b]");
    check_rows("\"two\nlines\",x\ny\n", "1[two\nlines][x]3[y]");
    check_rows("\"two\r\nlines\"\r\ny", "1[two\r\nlines]3[y]");
}

TEST(what_is_wrong_with_quotes_is_told_with_the_line)
{
    check_rows("a\n\"b\nc\n", "1[a]!a.csv:2: a quote is opened and never closed");
    check_rows("a,\"b\"\"", "!a.csv:1: a quote is opened and never closed");
    check_rows("a\nb\"c\"\n", "1[a]!a.csv:2: there is a quote inside a field that is not quoted");
    check_rows("\"a\nb\"c\n", "!a.csv:2: expected a comma or the end of the line behind a quoted field");
}

TEST(zero_bytes_are_refused)
{
    imp_Context *context = new_context();
    char got[1024];
    read_all(context, "a\nb\0c\n", 6, got, sizeof got);
    CHECK_TEXT(got, "1[a]!a.csv:2: there is a zero byte: this is no text");
    read_all(context, "\"a\nb\0c\"", 7, got, sizeof got);
    CHECK_TEXT(got, "!a.csv:2: there is a zero byte: this is no text");
    imp_context_destroy(context);
}

// What is written by the rules of RFC 4180 is read back.
TEST(random_tables_read_back)
{
    imp_Context *context = new_context();
    uint64_t quoted = 0, fields = 0;
    for (uint64_t round = 0; round < test_count(5000); ++round) {
        char text[512] = "", expected[512] = "", got[512];
        uint32_t rows = 1 + test_random_below(3), columns = 1 + test_random_below(3);
        int line = 1;
        for (uint32_t r = 0; r < rows; ++r) {
            snprintf(expected + strlen(expected), 16, "%d", line);
            for (uint32_t c = 0; c < columns; ++c) {
                char field[8] = "x";
                uint32_t length = 1 + test_random_below(5);
                for (uint32_t i = 1; i < length; ++i)
                    field[i] = "ab,\"\n x"[test_random_below(7)];
                bool is_quoted =
                    strpbrk(field, ",\"\n") || field[strlen(field) - 1] == ' ' || test_random_below(2);
                fields += 1;
                quoted += is_quoted;
                strcat(strcat(strcat(expected, "["), field), "]");
                strcat(text, c ? "," : "");
                strcat(text, is_quoted ? "\"" : "");
                for (const char *p = field; *p; ++p) {
                    strcat(text, (char[2]){*p, 0});
                    if (*p == '"')
                        strcat(text, "\"");
                    line += *p == '\n';
                }
                strcat(text, is_quoted ? "\"" : "");
            }
            ++line;
            strcat(text, test_random_below(2) ? "\n" : "\r\n");
        }
        read_all(context, text, strlen(text), got, sizeof got);
        CHECK_TEXT(got, expected);
    }
    CHECK(quoted > fields / 4 && quoted < fields * 9 / 10);
    imp_context_destroy(context);
}

TEST(rows_without_memory)
{
    FailingAllocator memory;
    uint64_t n = 0;
    static const char text[] = "a,\"b\"\"c\",d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s\n1,2\n";
    do {
        failing_allocator_init(&memory, ++n);
        imp_ContextDef def = {.allocator = failing_allocator_hooks(&memory)};
        imp_Context *context = NULL;
        imp_Status status = imp_context_create(&def, &context);
        if (status == IMP_STATUS_OK) {
            impi_CsvReader reader;
            bool has_row = true;
            impi_csv_init(&reader, context, text, sizeof text - 1, "a.csv");
            while (status == IMP_STATUS_OK && has_row)
                status = impi_csv_next_row(&reader, &has_row);
            impi_csv_free(&reader);
        }
        CHECK_INT(status, failing_allocator_has_failed(&memory) ? IMP_STATUS_OUT_OF_MEMORY : IMP_STATUS_OK);
        imp_context_destroy(context);
        CHECK(failing_allocator_is_clean(&memory));
    } while (failing_allocator_has_failed(&memory));
    CHECK(n > 3);
}
