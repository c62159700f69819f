#include "io/gltf_instances.h"

bool impi_gltf_instances_make(impi_Gltf *gltf, size_t capacity, impi_GltfInstances *instances)
{
    *instances = (impi_GltfInstances){
        .items = impi_arena_allocate_array(&gltf->arena, capacity, sizeof *instances->items)};
    return instances->items && impi_item_table_make(&gltf->arena, capacity, &instances->table);
}

// Two hashes of the stretch. Who finds an item by them compares it with what it looks for.
static impi_ItemKey key_of(uint32_t source, const imp_Transform *stretch)
{
    impi_ItemKey key = {{source, 0, 1}};
    uint64_t words[sizeof *stretch / sizeof(uint64_t)];
    memcpy(words, stretch, sizeof words);
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        key.words[1] = impi_mix_bits(key.words[1] + words[i]);
        key.words[2] = impi_mix_bits(key.words[2] ^ words[i]);
    }
    return key;
}

static impi_ItemKey key_of_item(const void *items, uint32_t item)
{
    const impi_GltfInstance *instance = (const impi_GltfInstance *)items + item;
    return key_of(instance->source, &instance->stretch);
}

imp_Mesh *impi_gltf_instances_find(const impi_GltfInstances *instances, uint32_t source,
                                   const imp_Transform *stretch)
{
    uint32_t item =
        impi_item_table_find(&instances->table, key_of(source, stretch), key_of_item, instances->items);
    if (item == IMPI_NO_ITEM)
        return NULL;
    const impi_GltfInstance *found = &instances->items[item];
    bool is_same = found->source == source && memcmp(&found->stretch, stretch, sizeof *stretch) == 0;
    return is_same ? found->mesh : NULL;
}

void impi_gltf_instances_add(impi_GltfInstances *instances, uint32_t source, const imp_Transform *stretch,
                             imp_Mesh *mesh)
{
    uint32_t item = instances->count++;
    instances->items[item] = (impi_GltfInstance){source, *stretch, mesh};
    impi_item_table_add(&instances->table, item, key_of_item, instances->items);
}
