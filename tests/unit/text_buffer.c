#include "io/text_buffer.h"

#include "base/memory.h"
#include "failing_allocator.h"
#include "kit/text.h"
#include "mesh_files.h"

#include <math.h>

TEST(pieces_are_joined)
{
    impi_Text text;
    impi_text_init(&text, &impi_default_allocator);
    impi_text_put(&text, "a");
    impi_text_put_integer(&text, INT64_MIN);
    impi_text_put_integer(&text, 0);
    impi_text_printf(&text, "-%d-%s-", 7, "b");
    impi_text_append(&text, "cdef", 2);
    impi_text_put_double(&text, 0.1);
    impi_text_put_double(&text, NAN);
    impi_text_append(&text, "", 1);
    CHECK_TEXT(text.bytes.data, "a-92233720368547758080-7-b-cd0.1null");
    impi_text_free(&text);
}

TEST(out_of_memory_is_remembered)
{
    FailingAllocator memory;
    failing_allocator_init(&memory, 1);
    imp_Allocator hooks = failing_allocator_hooks(&memory);
    impi_Text text;
    impi_text_init(&text, &hooks);
    impi_text_put(&text, "lost");
    CHECK(text.out_of_memory);
    impi_text_put(&text, "refused, though there is memory again");
    impi_text_printf(&text, "%d", 1);
    CHECK(text.out_of_memory);
    CHECK_INT((int64_t)text.bytes.count, 0);
    impi_text_free(&text);
    CHECK(failing_allocator_is_clean(&memory));
}

TEST(a_text_is_saved_whole_or_not_at_all)
{
    char folder[MAX_TEST_PATH], read[16] = "";
    imp_Context *context = new_context();
    impi_Text text;
    make_folder(folder);
    impi_text_begin(&text);
    impi_text_put(&text, "to keep");
    CHECK_INT(impi_text_save(context, &text, path_in(folder, "a.txt")), IMP_STATUS_OK);
    FILE *file = fopen(path_in(folder, "a.txt"), "rb");
    if (CHECK(file != NULL)) {
        CHECK_INT((int64_t)fread(read, 1, sizeof read - 1, file), 7);
        fclose(file);
    }
    CHECK_TEXT(read, "to keep");
    text.out_of_memory = true;
    CHECK_INT(impi_text_save(context, &text, path_in(folder, "b.txt")), IMP_STATUS_OUT_OF_MEMORY);
    CHECK(fopen(path_in(folder, "b.txt"), "rb") == NULL);
    impi_text_free(&text);
    imp_context_destroy(context);
    remove_folder(folder);
}
