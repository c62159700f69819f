#include "playback/reported_frame.h"

#include "base/context.h"

imp_Status impi_reported_frame_make(imp_Context *context, const imp_Report *report, size_t most_triangles,
                                    impi_ReportedFrame *reported)
{
    impi_ReportedFrame made = {.context = context};
    impi_Findings found = {.report = report};
    if (!impi_history_note(&context->allocator, &made.history, 0, &found, most_triangles)) {
        impi_history_free(&context->allocator, &made.history);
        return impi_fail_out_of_memory(context);
    }
    made.frame = impi_history_frame(&made.history, 0);
    *reported = made;
    return IMP_STATUS_OK;
}

void impi_reported_frame_free(impi_ReportedFrame *reported)
{
    if (reported->context)
        impi_history_free(&reported->context->allocator, &reported->history);
    *reported = (impi_ReportedFrame){.context = NULL};
}
