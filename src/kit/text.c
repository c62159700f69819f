#include "kit/text.h"

#include "base/memory.h"
#include "io/atomic_file.h"

void impi_text_begin(impi_Text *text)
{
    impi_text_init(text, &impi_default_allocator);
}

imp_Status impi_text_save(imp_Context *context, const impi_Text *text, const char *path)
{
    if (text->out_of_memory)
        return impi_fail_out_of_memory(context);
    return impi_atomic_file_save(context, path, text->bytes.data, text->bytes.count);
}
