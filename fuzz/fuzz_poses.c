// Whatever the bytes are, they are a table of poses that are all rotations and finite, or an error that names
// the file.

#include "fuzz_file.h"

#include "playback/pose_table.h"

#include <math.h>
#include <string.h>

#define FUZZ_NAME "fuzz.csv"

static const char *const own_names[] = {"base", "link1", "link2", "hand, left", "a \"b\""};

#define BODY_COUNT (sizeof own_names / sizeof *own_names)

static void look_at_all(const impi_PoseTable *table, size_t size)
{
    fuzz_demand(table->configuration_count > 0 && table->configuration_count <= size,
                "there are configurations");
    fuzz_demand(table->moving_count > 0 && table->moving_count <= BODY_COUNT, "there are bodies");
    for (size_t i = 1; i < table->moving_count; ++i)
        fuzz_demand(table->moving[i - 1] < table->moving[i], "bodies ascend");
    for (size_t k = 0; k < table->configuration_count; ++k) {
        fuzz_demand(table->labels[k][0] != 0, "configurations have labels");
        fuzz_demand(!table->times || k == 0 || table->times[k - 1] < table->times[k], "times ascend");
        for (size_t i = 0; i < table->moving_count; ++i) {
            imp_Transform transform;
            const imp_Pose *pose = impi_pose_table_find(table, k, table->moving[i]);
            fuzz_demand(pose == &table->poses[k * table->moving_count + i], "poses are found");
            fuzz_demand(imp_pose_transform(pose, &transform) == IMP_STATUS_OK, "poses are poses");
            fuzz_demand(pose->rotation.w != 0 || pose->rotation.x != 0 || pose->rotation.y != 0 ||
                            pose->rotation.z != 0,
                        "rotations are not left out");
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    imp_Context *context;
    impi_BodyNames *names = NULL;
    impi_PoseTable *table = NULL;
    if (imp_context_create(NULL, &context) != IMP_STATUS_OK)
        return 0;
    imp_Status status = impi_body_names_adopt(context, own_names, BODY_COUNT, &names);
    fuzz_demand(status == IMP_STATUS_OK, "bodies have names");
    status = impi_pose_table_read(context, bytes, size, FUZZ_NAME, names, NULL, &table);
    if (status == IMP_STATUS_OK) {
        look_at_all(table, size);
    } else {
        const imp_Error *error = imp_context_get_error(context);
        fuzz_demand(status == IMP_STATUS_BAD_FILE && table == NULL, "what is wrong is the file");
        fuzz_demand(strstr(error->message, FUZZ_NAME ":") == error->message, "the error names the file");
        fuzz_demand(error->line >= 1 && error->line <= size + 1, "the error lies in the file");
    }
    impi_pose_table_destroy(context, table);
    impi_body_names_destroy(names);
    imp_context_destroy(context);
    return 0;
}
