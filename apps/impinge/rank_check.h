/// The bodies of a manifest compared by many ranks, told as `impinge check` tells of bodies.
#ifndef IMPINGE_APPS_RANK_CHECK_H
#define IMPINGE_APPS_RANK_CHECK_H

#include "check_listing.h"
#include "cluster/cluster.h"

typedef struct RankCheckDef {
    const char *path;     // of the manifest
    CheckListing listing; // without first_only
    imp_RankStats *stats; // of this rank; null: nobody wants them
} RankCheckDef;

/// All ranks call this together, with the same def, each in a context of its own. Rank 0 puts what is to be
/// printed into its output, keeps remarks, and has the result of `impinge check`. Others have COMMAND_DONE,
/// or COMMAND_FAILED where all fail; rank 0 says why.
CommandResult rank_check_run(const impi_Exchange *exchange, imp_Context *context, const RankCheckDef *def,
                             impi_Text *output);

#endif
