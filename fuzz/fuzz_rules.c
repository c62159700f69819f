// Whatever the bytes are, they are rules that can be bound to bodies and asked about every pair, or an error
// that names the file. The first byte says whether it is a file of rules or of ignored pairs.

#include "fuzz_file.h"

#include "playback/pair_rules.h"

#include <math.h>
#include <string.h>

#define FUZZ_NAME "fuzz.rules"

static const impi_BodySource sources[] = {
    {"robot.glb", "link1"}, {"robot.glb", "link2"}, {"left/arm.stl", NULL}, {"right/arm.stl", NULL},
    {"wall.stl", NULL},     {"wall.ply", NULL},     {"a b\"c\\.stl", NULL}, {"7.stl", NULL},
    {"duct_1.stl", NULL},   {"duct_2.stl", NULL}};

#define BODY_COUNT (sizeof sources / sizeof *sources)

static void ask_pairs(const impi_PairRules *bound)
{
    double most = 0;
    bool has_clearance = impi_pair_rules_max_clearance(bound, &most);
    for (uint32_t a = 0; a < BODY_COUNT; ++a)
        for (uint32_t b = 0; b < BODY_COUNT; ++b) {
            impi_PairRule rule = impi_pair_rules_of(bound, a, b), swapped = impi_pair_rules_of(bound, b, a);
            fuzz_demand(rule.is_ignored == swapped.is_ignored && rule.clearance == swapped.clearance &&
                            rule.touch_depth == swapped.touch_depth,
                        "pairs have no order");
            fuzz_demand(rule.clearance >= 0 && rule.clearance <= most && isfinite(most),
                        "lengths are lengths");
            fuzz_demand(!rule.has_clearance || has_clearance, "the largest clearance is one");
            fuzz_demand(!rule.is_ignored || impi_pair_rules_excludes(bound), "what is excluded is told");
        }
    for (size_t i = 0; i < impi_pair_rules_remark_count(bound); ++i)
        fuzz_demand(strncmp(impi_pair_rules_remark(bound, i), FUZZ_NAME ":", strlen(FUZZ_NAME) + 1) == 0,
                    "remarks tell file and line");
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    imp_Context *context;
    impi_BodyNames *names = NULL;
    impi_PairRules *bound = NULL;
    impi_Rules rules;
    if (size == 0 || imp_context_create(NULL, &context) != IMP_STATUS_OK)
        return 0;
    impi_rules_init(&rules, context);
    imp_Status status = bytes[0] % 2 ? impi_rules_add_ignore_text(&rules, bytes + 1, size - 1, FUZZ_NAME)
                                     : impi_rules_add_text(&rules, bytes + 1, size - 1, FUZZ_NAME);
    fuzz_demand(status == IMP_STATUS_OK || rules.list.count == 0, "a failure adds nothing");
    if (status == IMP_STATUS_OK)
        status = impi_body_names_create(context, sources, BODY_COUNT, &names);
    if (status == IMP_STATUS_OK)
        status = impi_rules_bind(&rules, names, &bound);
    if (status == IMP_STATUS_OK) {
        ask_pairs(bound);
    } else {
        const imp_Error *error = imp_context_get_error(context);
        fuzz_demand(status == IMP_STATUS_BAD_FILE && error->status == status, "what is wrong is the file");
        fuzz_demand(strstr(error->message, FUZZ_NAME ":") == error->message, "the error names the file");
        fuzz_demand(error->line >= 1 && error->line <= size, "the error lies in the file");
    }
    impi_pair_rules_destroy(bound);
    impi_body_names_destroy(names);
    impi_rules_free(&rules);
    imp_context_destroy(context);
    return 0;
}
