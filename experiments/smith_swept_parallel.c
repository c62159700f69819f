// Smith & Kitamura 1994, 4.4 and 4.5. SPMD: steps 1 to 3 on one processor, whose list of pairs all share out
// in step 4, evenly beforehand or one by one. Producer and consumers: one processor runs step 3 and hands
// pairs over as it finds them, the others test them, and the first joins them when it is done.
//
// Departs from the paper where executors take it to. A processor is a task, and an executor may run tasks one
// after the other, so that nobody may wait for one that has not begun: the first task to begin is the
// producer, and the producer never waits. The queue is bounded; where the paper's array would grow, the
// producer tests the pair itself. Consumers sleep while the queue is empty; they do not spin.
//
//     producer  --pair-->  [ queue ]  --pair-->  consumers        found pairs, per processor
//         `--- tests a pair itself when the queue is full             `--> joined and sorted
//
// Each processor keeps what it found; a pair is found once, by whomever, so the sorted list is always the
// same.
#include "smith_swept_parallel.h"

#include "base/float_guard.h"
#include "base/memory.h"
#include "smith_pinning.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct Processor {
    SmithFacePairs found;
    uint64_t tested;
    imp_Status status;
    bool was_pinned;
    impi_SweptHullScratch scratch;
} Processor;

typedef struct Queue {
    pthread_mutex_t mutex;
    pthread_cond_t has_news;
    SmithFacePair *pairs; // a ring
    uint32_t capacity, first, count, asleep_count;
    bool is_over; // nothing more will be put in
} Queue;

typedef struct Job {
    SmithSweptSearch *search;
    const SmithSweptDef *def;
    Processor *processors;
    SmithFacePairs list;        // of SPMD, or of one processor
    atomic_uint_fast64_t next;  // of the list, for those who take
    atomic_uint_fast32_t begun; // how many tasks have
    Queue queue;
} Job;

// ---- step 4

static void test_pair(const Job *job, Processor *processor, SmithFacePair pair)
{
    bool collide = false;
    if (processor->status != IMP_STATUS_OK)
        return;
    processor->status = smith_swept_test(job->search, &processor->scratch, pair, &collide);
    ++processor->tested;
    if (processor->status != IMP_STATUS_OK || !collide)
        return;
    SmithFacePairs *found = &processor->found;
    if (impi_array_reserve(&job->search->allocator, found, sizeof *found->data, found->count + 1))
        found->data[found->count++] = pair;
    else
        processor->status = IMP_STATUS_OUT_OF_MEMORY;
}

static void test_share(const Job *job, Processor *processor, size_t first, size_t step)
{
    for (size_t i = first; i < job->list.count; i += step)
        test_pair(job, processor, job->list.data[i]);
}

static void test_what_is_left(Job *job, Processor *processor)
{
    for (;;) {
        uint64_t i = atomic_fetch_add_explicit(&job->next, 1, memory_order_relaxed);
        if (i >= job->list.count)
            return;
        test_pair(job, processor, job->list.data[i]);
    }
}

// ---- producer and consumers

// False when there is no room.
static bool queue_put(Queue *queue, SmithFacePair pair)
{
    pthread_mutex_lock(&queue->mutex);
    bool has_room = queue->count < queue->capacity;
    if (has_room) {
        queue->pairs[(queue->first + queue->count++) % queue->capacity] = pair;
        if (queue->asleep_count > 0)
            pthread_cond_signal(&queue->has_news);
    }
    pthread_mutex_unlock(&queue->mutex);
    return has_room;
}

// Waits while there may be more to come. False at the end.
static bool queue_take(Queue *queue, SmithFacePair *pair)
{
    pthread_mutex_lock(&queue->mutex);
    while (queue->count == 0 && !queue->is_over) {
        ++queue->asleep_count;
        pthread_cond_wait(&queue->has_news, &queue->mutex);
        --queue->asleep_count;
    }
    bool has_one = queue->count > 0;
    if (has_one) {
        *pair = queue->pairs[queue->first];
        queue->first = (queue->first + 1) % queue->capacity;
        --queue->count;
    }
    pthread_mutex_unlock(&queue->mutex);
    return has_one;
}

static void queue_end(Queue *queue)
{
    pthread_mutex_lock(&queue->mutex);
    queue->is_over = true;
    pthread_cond_broadcast(&queue->has_news);
    pthread_mutex_unlock(&queue->mutex);
}

typedef struct Producer {
    Job *job;
    Processor *processor;
} Producer;

static bool hand_over(SmithFacePair pair, void *argument)
{
    const Producer *producer = argument;
    if (!queue_put(&producer->job->queue, pair))
        test_pair(producer->job, producer->processor, pair);
    return producer->processor->status == IMP_STATUS_OK;
}

static void produce(Job *job, Processor *processor)
{
    Producer producer = {job, processor};
    if (!smith_swept_subdivide(job->search, hand_over, &producer))
        processor->status = IMP_STATUS_OUT_OF_MEMORY;
    queue_end(&job->queue);
}

static void consume(Job *job, Processor *processor)
{
    SmithFacePair pair;
    while (queue_take(&job->queue, &pair))
        test_pair(job, processor, pair);
}

// ---- tasks

static void work(Job *job, Processor *processor, uint32_t number, bool is_first)
{
    switch (job->def->form) {
    case SMITH_FORM_DYNAMIC:
        test_what_is_left(job, processor);
        break;
    case SMITH_FORM_PRODUCER_CONSUMER:
        if (is_first)
            produce(job, processor);
        consume(job, processor);
        break;
    default:
        test_share(job, processor, number, job->def->processor_count);
    }
}

static void run_processor(uint32_t number, void *argument)
{
    Job *job = argument;
    Processor *processor = &job->processors[number];
    bool is_first = atomic_fetch_add(&job->begun, 1) == 0;
    SmithPin pin = {.is_pinned = false};
    impi_FloatGuard guard = impi_float_guard_enter();
    if (job->def->is_pinned)
        smith_pin_begin(number, &pin);
    processor->was_pinned = pin.is_pinned;
    work(job, processor, number, is_first);
    smith_pin_end(&pin);
    impi_float_guard_leave(guard);
}

static bool keep_pair(SmithFacePair pair, void *argument)
{
    Job *job = argument;
    SmithFacePairs *list = &job->list;
    if (!impi_array_reserve(&job->search->allocator, list, sizeof *list->data, list->count + 1))
        return false;
    list->data[list->count++] = pair;
    return true;
}

static void run_tasks(Job *job)
{
    const SmithSweptDef *def = job->def;
    if (def->executor && def->form != SMITH_FORM_SERIAL) {
        def->executor->run(run_processor, job, def->processor_count, def->executor->user);
        return;
    }
    for (uint32_t i = 0; i < def->processor_count; ++i)
        run_processor(i, job);
}

static imp_Status join_found(Job *job, SmithSweptResult *result)
{
    const imp_Allocator *allocator = &job->search->allocator;
    SmithFacePairs *all = &result->colliding;
    all->count = 0;
    result->tested = result->largest_share = 0;
    result->was_pinned = true;
    for (uint32_t i = 0; i < job->def->processor_count; ++i) {
        const Processor *processor = &job->processors[i];
        size_t count = processor->found.count;
        if (processor->status != IMP_STATUS_OK)
            return processor->status;
        if (!impi_array_reserve(allocator, all, sizeof *all->data, all->count + count))
            return IMP_STATUS_OUT_OF_MEMORY;
        for (size_t k = 0; k < count; ++k)
            all->data[all->count++] = processor->found.data[k];
        result->tested += processor->tested;
        result->largest_share =
            processor->tested > result->largest_share ? processor->tested : result->largest_share;
        result->was_pinned &= processor->was_pinned;
    }
    smith_face_pairs_sort(all);
    return IMP_STATUS_OK;
}

static imp_Status run_job(Job *job, SmithSweptResult *result)
{
    SmithSweptSearch *search = job->search;
    if (!smith_swept_faces(search))
        return IMP_STATUS_OUT_OF_MEMORY;
    if (job->def->form != SMITH_FORM_PRODUCER_CONSUMER && !smith_swept_subdivide(search, keep_pair, job))
        return IMP_STATUS_OUT_OF_MEMORY;
    run_tasks(job);
    return join_found(job, result);
}

// Initialising these with default attributes can't fail on the platforms we support.
static void queue_init(Queue *queue)
{
    pthread_mutex_init(&queue->mutex, NULL);
    pthread_cond_init(&queue->has_news, NULL);
}

static void queue_destroy(Queue *queue)
{
    pthread_cond_destroy(&queue->has_news);
    pthread_mutex_destroy(&queue->mutex);
}

imp_Status smith_swept_run(SmithSweptSearch *search, const SmithSweptScene *scene, const SmithSweptDef *def,
                           SmithSweptResult *result)
{
    assert(def->processor_count >= 1 && def->processor_count <= IMP_MAX_THREADS);
    const imp_Allocator *allocator = &search->allocator;
    uint32_t count = def->processor_count;
    Job job = {.search = search, .def = def};
    job.queue.capacity = def->queue_capacity ? def->queue_capacity : SMITH_QUEUE_CAPACITY;
    job.processors = impi_allocate_array(allocator, count, sizeof *job.processors);
    job.queue.pairs = impi_allocate_array(allocator, job.queue.capacity, sizeof *job.queue.pairs);
    for (uint32_t i = 0; job.processors && i < count; ++i) {
        job.processors[i] = (Processor){.status = IMP_STATUS_OK};
        impi_swept_hull_scratch_init(&job.processors[i].scratch, allocator);
    }
    queue_init(&job.queue);
    imp_Status status = IMP_STATUS_OUT_OF_MEMORY;
    if (job.processors && job.queue.pairs && smith_swept_boxes(search, scene))
        status = run_job(&job, result);
    queue_destroy(&job.queue);
    for (uint32_t i = 0; job.processors && i < count; ++i) {
        impi_swept_hull_scratch_destroy(&job.processors[i].scratch);
        impi_array_free(allocator, &job.processors[i].found, sizeof(SmithFacePair));
    }
    impi_release(allocator, job.processors, count * sizeof *job.processors);
    impi_release(allocator, job.queue.pairs, job.queue.capacity * sizeof *job.queue.pairs);
    impi_array_free(allocator, &job.list, sizeof *job.list.data);
    return status;
}

void smith_swept_result_free(const imp_Allocator *allocator, SmithSweptResult *result)
{
    impi_array_free(allocator, &result->colliding, sizeof *result->colliding.data);
}
