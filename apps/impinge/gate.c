#include "gate.h"

#include <string.h>

CommandResult gate_parse(const Options *options, Gate otherwise, Gate *gate)
{
    const char *text = options_value(options, "fail-on");
    *gate = otherwise;
    if (!text)
        return COMMAND_DONE;
    *gate = strcmp(text, "touch") == 0       ? GATE_TOUCH
            : strcmp(text, "overlap") == 0   ? GATE_OVERLAP
            : strcmp(text, "clearance") == 0 ? GATE_CLEARANCE
                                             : GATE_NONE;
    if (*gate == GATE_NONE)
        return command_fail("--fail-on: expected touch, overlap or clearance, got \"%s\"", text);
    return COMMAND_DONE;
}

static bool any_overlap(const impi_PlayedFrame *frame)
{
    for (size_t i = 0; i < frame->pair_count; ++i)
        if (frame->pairs[i].overlaps || !(frame->pairs[i].relations & IMP_RELATION_TOUCH))
            return true;
    return false;
}

bool gate_is_met(const impi_PlayedFrame *frame, Gate gate)
{
    switch (gate) {
    case GATE_TOUCH:
        return frame->pair_count > 0;
    case GATE_OVERLAP:
        return any_overlap(frame);
    case GATE_CLEARANCE:
        return frame->pair_count > 0 || frame->near_pair_count > 0;
    case GATE_NONE:
        break;
    }
    return false;
}
