/// Many configurations of the same bodies in one call: which of them are free?
#ifndef IMPINGE_CONFIGURATIONS_H
#define IMPINGE_CONFIGURATIONS_H

#include <impinge/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct imp_ConfigurationsDef {
    const imp_BodyId *bodies; ///< those that are placed, each once; all others stay where they are
    size_t body_count;
    const imp_Pose *poses; ///< configuration after configuration, body_count poses each
    size_t configuration_count;
    bool first_only;          ///< of each configuration only the first related pair in sorted order
    bool ignore_containment;  ///< do not ask which bodies lie inside closed meshes
    const imp_Cancel *cancel; ///< null: none
    uint64_t reserved[4];     ///< zero
} imp_ConfigurationsDef;

/// Owned by the world, valid until its next call of imp_world_detect_configurations or its end.
typedef struct imp_ConfigurationsReport {
    const imp_BodyPair *pairs; ///< configuration after configuration, sorted by slots in each
    /// Pairs of configuration i are pairs[ends[i - 1]] to pairs[ends[i] - 1], with ends[-1] being 0.
    const size_t *ends;
    size_t pair_count;
    size_t configuration_count;
} imp_ConfigurationsReport;

/// Which bodies are related in each of many configurations? Each is a question of its own, answered as
/// imp_world_detect would in mode IMP_DETECT_BODIES (or IMP_DETECT_FIRST, with `first_only`) with the bodies
/// in these poses. Bodies that deform keep their vertices. The world's bodies, its report and what that
/// compares with stay as they are. Configurations are spread over the threads of the context; the answer is
/// the same for any number of them. Memory that this needs for each thread is kept until the world ends.
///
/// Refused before any work: a body that is not there (IMP_STATUS_BAD_INDEX) or listed twice
/// (IMP_STATUS_BAD_ARGUMENT), with its index in `bodies`; a pose as imp_body_set_pose refuses it
/// (IMP_STATUS_BAD_NUMBER), with its index in `poses`. On failure the report of the last such call is void.
/// Watched (imp_context_watch); IMP_STATUS_CANCELLED when `cancel` was requested before or meanwhile.
IMP_CHECKED imp_Status imp_world_detect_configurations(imp_World *world, const imp_ConfigurationsDef *def,
                                                       const imp_ConfigurationsReport **report);

#ifdef __cplusplus
}
#endif

#endif
