/// Ending long work from another thread.
#ifndef IMPINGE_CANCEL_H
#define IMPINGE_CANCEL_H

#include <impinge/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A flag that calls look at while they work. Once it is set, a call that was given it ends soon with
/// IMP_STATUS_CANCELLED and leaves everything as it was, as any failure does; so does each later call, until
/// the flag is reset.
typedef struct imp_Cancel imp_Cancel;

IMP_CHECKED imp_Status imp_cancel_create(imp_Context *context, imp_Cancel **cancel);

/// No call may be using it. Null is fine. The context may be gone.
IMP_API void imp_cancel_destroy(imp_Cancel *cancel);

/// Set the flag. From any thread, at any time. Null is fine.
IMP_API void imp_cancel_request(imp_Cancel *cancel);

/// Take it back, from any thread.
IMP_API void imp_cancel_reset(imp_Cancel *cancel);

/// Any thread. False for null.
IMP_API bool imp_cancel_is_requested(const imp_Cancel *cancel);

#ifdef __cplusplus
}
#endif

#endif
