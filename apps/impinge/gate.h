/// What makes a check or a run fail, as its exit status tells.
#ifndef IMPINGE_APPS_GATE_H
#define IMPINGE_APPS_GATE_H

#include "command.h"
#include "playback/history.h"

typedef enum Gate {
    GATE_NONE,
    GATE_TOUCH,     // bodies that touch, or of which one is inside of the other
    GATE_OVERLAP,   // bodies that overlap, or of which one is inside of the other
    GATE_CLEARANCE, // those, those that touch, and those that are nearer than they shall be
} Gate;

#define GATE_OPTION                                                                                          \
    {                                                                                                        \
        .name = "fail-on", .value_count = 1, .values = "touch|overlap|clearance",                            \
        .help = "exit with 1 for that, or what is worse; what is inside of\n"                                \
                "something counts as overlap"                                                                \
    }

/// The option, or `otherwise` where it is not there. Says what is wrong.
CommandResult gate_parse(const Options *options, Gate otherwise, Gate *gate);

/// Is there anything in a frame that the gate is for? Overlaps must have been judged for GATE_OVERLAP, near
/// pairs listed for GATE_CLEARANCE.
bool gate_is_met(const impi_PlayedFrame *frame, Gate gate);

#endif
