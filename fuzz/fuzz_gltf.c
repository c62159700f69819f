// Whatever the bytes are, the checker of glTF files gives either a document that can be written anew, as JSON
// that can be read and an array of numbers, or an error that names the file.

#include "io/byte_order.h"
#include "io/gltf_plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUZZ_NAME "fuzz.gltf"

static void demand(bool held, const char *what)
{
    if (held)
        return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

static void check_plain(imp_Context *context, const impi_PlainGltf *plain)
{
    bool swap = IMPI_HOST_IS_BIG_ENDIAN;
    demand(plain->size >= 28 && memcmp(plain->bytes, "glTF", 4) == 0, "it is a .glb file");
    size_t json_size = impi_load_u32(plain->bytes + 12, swap);
    demand(json_size <= plain->size - 28, "its JSON lies in it");
    demand(impi_load_u32(plain->bytes + 20 + json_size, swap) == plain->size - 28 - json_size,
           "its chunks fill it");
    impi_Json json;
    demand(impi_json_parse(context, FUZZ_NAME, (const char *)plain->bytes + 20, json_size, 20, &json) ==
               IMP_STATUS_OK,
           "its JSON can be read");
    impi_json_free(context, &json);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    imp_Context *context;
    impi_Gltf gltf;
    if (imp_context_create(NULL, &context) != IMP_STATUS_OK)
        return 0;
    imp_Status status = impi_gltf_open_memory(context, FUZZ_NAME, bytes, size, &gltf);
    if (status == IMP_STATUS_OK) {
        impi_PlainGltf plain;
        status = impi_gltf_write_plain(&gltf, &plain);
        if (status == IMP_STATUS_OK) {
            check_plain(context, &plain);
            impi_gltf_free_plain(&gltf, &plain);
        }
        impi_gltf_close(&gltf);
    }
    const imp_Error *error = imp_context_get_error(context);
    if (status != IMP_STATUS_OK)
        demand(error->status == status && strstr(error->message, FUZZ_NAME), "the error names the file");
    imp_context_destroy(context);
    return 0;
}
