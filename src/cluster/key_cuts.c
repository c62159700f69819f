// Histograms, finer and finer: each round looks at the next bits of the keys that share all bits so far with
// a cut that is not found. Most keys drop out in the first round. A cut is found where a part of the
// histogram begins exactly at its target, which is at the latest where each part holds a single key.
#include "cluster/key_cuts.h"

#include <assert.h>
#include <string.h>

#define FIRST_BITS 12
#define NEXT_BITS  8

// One cut. Until it is found, it lies among the keys that begin with its prefix.
typedef struct Cut {
    uint64_t prefix; // all bits above those that are undecided; once it is found, the cut itself
    uint64_t left;   // of its target, less what is below the prefix
    bool is_found;
} Cut;

typedef struct Search {
    impi_Cluster *cluster;
    unsigned undecided; // bits below the prefixes
    Cut *cuts;
    size_t cut_count;
    // Keys that some cut may still lie among, with their weights; at first those given.
    const uint64_t *keys;
    const uint32_t *weights;
    size_t count;
    uint64_t *kept_keys;
    uint32_t *kept_weights;
    // The different prefixes of cuts that are not found, ascending, and a histogram for each.
    uint64_t *prefixes;
    size_t prefix_count;
    uint64_t *histograms;
    // Prefixes that begin with these bits of the first round: from this one up to where the next bits' begin.
    uint32_t first_listed[(1 << FIRST_BITS) + 1];
} Search;

static imp_Status begin_search(Search *search, const uint64_t *targets)
{
    impi_Cluster *cluster = search->cluster;
    size_t cut_count = search->cut_count, first_room = (size_t)1 << FIRST_BITS;
    size_t histogram_room = cut_count << NEXT_BITS > first_room ? cut_count << NEXT_BITS : first_room;
    search->cuts = impi_cluster_allocate(cluster, cut_count, sizeof *search->cuts);
    search->prefixes = impi_cluster_allocate(cluster, cut_count, sizeof *search->prefixes);
    search->histograms = impi_cluster_allocate(cluster, histogram_room, sizeof *search->histograms);
    search->kept_keys = impi_cluster_allocate(cluster, search->count, sizeof *search->kept_keys);
    if (search->weights)
        search->kept_weights = impi_cluster_allocate(cluster, search->count, sizeof *search->kept_weights);
    imp_Status status = impi_cluster_agree(cluster);
    for (size_t i = 0; status == IMP_STATUS_OK && i < cut_count; ++i)
        search->cuts[i] = (Cut){0, targets[i], false};
    return status;
}

static void list_prefixes(Search *search)
{
    size_t count = 0;
    for (size_t i = 0; i < search->cut_count; ++i) {
        const Cut *cut = &search->cuts[i];
        if (!cut->is_found && (count == 0 || search->prefixes[count - 1] != cut->prefix))
            search->prefixes[count++] = cut->prefix;
    }
    search->prefix_count = count;
}

// A prefix that is in the list.
static size_t find_prefix(const Search *search, uint64_t prefix)
{
    return impi_key_stretch(search->prefixes, search->prefix_count, prefix) - 1;
}

// ---- rounds

static void count_all(Search *search, unsigned bits)
{
    unsigned shift = search->undecided - bits;
    uint64_t *restrict histogram = search->histograms;
    const uint64_t *restrict keys = search->keys;
    memset(histogram, 0, sizeof *histogram << bits);
    if (search->weights) {
        for (size_t i = 0; i < search->count; ++i)
            histogram[keys[i] >> shift] += search->weights[i];
    } else {
        for (size_t i = 0; i < search->count; ++i)
            ++histogram[keys[i] >> shift];
    }
}

// Most keys drop out here: no prefix begins as they do.
static void guide_to_prefixes(Search *search, unsigned first_shift)
{
    size_t next = 0;
    for (uint64_t top = 0; top < (uint64_t)1 << FIRST_BITS; ++top) {
        search->first_listed[top] = (uint32_t)next;
        while (next < search->prefix_count &&
               search->prefixes[next] >> (first_shift - search->undecided) == top)
            ++next;
    }
    search->first_listed[1 << FIRST_BITS] = (uint32_t)next;
}

// Count by the next bits the keys that begin with a prefix of the list, and keep these.
static void count_listed(Search *search, unsigned first_shift, unsigned bits)
{
    unsigned shift = search->undecided - bits;
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    size_t kept = 0;
    memset(search->histograms, 0, (search->prefix_count << bits) * sizeof *search->histograms);
    for (size_t i = 0; i < search->count; ++i) {
        uint64_t key = search->keys[i], top = key >> first_shift, prefix = key >> search->undecided;
        size_t first = search->first_listed[top], listed = search->first_listed[top + 1] - first;
        size_t next = impi_key_stretch(search->prefixes + first, listed, prefix);
        if (next == 0 || search->prefixes[first + next - 1] != prefix)
            continue;
        size_t place = first + next - 1;
        uint32_t weight = search->weights ? search->weights[i] : 1;
        search->histograms[place << bits | (key >> shift & mask)] += weight;
        search->kept_keys[kept] = key;
        if (search->weights)
            search->kept_weights[kept] = weight;
        ++kept;
    }
    search->keys = search->kept_keys;
    search->weights = search->weights ? search->kept_weights : NULL;
    search->count = kept;
}

static void narrow_cut(const Search *search, Cut *cut, unsigned bits)
{
    const uint64_t *histogram = search->histograms + (find_prefix(search, cut->prefix) << bits);
    unsigned below = search->undecided - bits; // bits that stay undecided
    size_t part = 0, part_count = (size_t)1 << bits;
    while (cut->left > 0 && part < part_count && cut->left >= histogram[part])
        cut->left -= histogram[part++];
    cut->is_found = cut->left == 0 || part == part_count;
    if (part == part_count) // in the first round, for a target that all keys do not reach
        cut->prefix = search->undecided < 64 ? (uint64_t)1 << search->undecided : UINT64_MAX;
    else if (cut->is_found)
        cut->prefix = (cut->prefix << bits | part) << below;
    else
        cut->prefix = cut->prefix << bits | part;
}

static void end_round(Search *search, unsigned bits)
{
    impi_cluster_all_reduce(search->cluster, search->histograms, search->prefix_count << bits,
                            IMPI_REDUCE_SUM);
    for (size_t i = 0; i < search->cut_count; ++i)
        if (!search->cuts[i].is_found)
            narrow_cut(search, &search->cuts[i], bits);
    search->undecided -= bits;
    list_prefixes(search);
}

static void run_rounds(Search *search)
{
    unsigned first_bits = search->undecided < FIRST_BITS ? search->undecided : FIRST_BITS;
    list_prefixes(search);
    count_all(search, first_bits);
    end_round(search, first_bits);
    unsigned first_shift = search->undecided;
    while (search->undecided > 0 && search->prefix_count > 0) {
        unsigned bits = search->undecided < NEXT_BITS ? search->undecided : NEXT_BITS;
        guide_to_prefixes(search, first_shift);
        count_listed(search, first_shift, bits);
        end_round(search, bits);
    }
}

imp_Status impi_key_cuts_find(impi_Cluster *cluster, const impi_SpreadKeys *keys, const uint64_t *targets,
                              size_t cut_count, uint64_t *cuts)
{
    unsigned bit_count = keys->bit_count ? keys->bit_count : 1;
    Search search = {.cluster = cluster,
                     .undecided = bit_count,
                     .cut_count = cut_count,
                     .keys = keys->keys,
                     .weights = keys->weights,
                     .count = keys->count};
    assert(bit_count <= 64);
    impi_ArenaMark mark = impi_arena_mark(&cluster->context->scratch);
    imp_Status status = begin_search(&search, targets);
    if (status != IMP_STATUS_OK || cut_count == 0)
        return status;
    run_rounds(&search);
    for (size_t i = 0; i < cut_count; ++i)
        cuts[i] = search.cuts[i].prefix;
    impi_arena_rewind(&cluster->context->scratch, mark);
    return IMP_STATUS_OK;
}
