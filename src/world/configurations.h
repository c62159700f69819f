/// Many configurations of a world's bodies, on all threads.
#ifndef IMPINGE_WORLD_CONFIGURATIONS_H
#define IMPINGE_WORLD_CONFIGURATIONS_H

#include "world/configuration_worker.h"

#include <pthread.h>

/// Kept from call to call.
typedef struct impi_Configurations {
    pthread_mutex_t lock;                           // of the workers
    IMPI_ARRAY(impi_ConfigurationWorker *) workers; // all there are; the first idle_count of them are idle
    size_t idle_count;
    uint64_t call; // counts calls
    impi_IndexPairs pairs;
    impi_BodyPairs still, found;
    IMPI_ARRAY(size_t) ends;
    imp_ConfigurationsReport report;
} impi_Configurations;

void impi_configurations_init(impi_Configurations *configurations);
void impi_configurations_destroy(const imp_Allocator *allocator, impi_Configurations *configurations);

/// The world's body in this slot goes.
void impi_configurations_forget(impi_Configurations *configurations, uint32_t slot);

#endif
