#include "io/gltf_instances.h"

bool impi_gltf_instances_make(impi_Gltf *gltf, size_t capacity, impi_GltfInstances *instances)
{
    *instances = (impi_GltfInstances){
        .items = impi_arena_allocate_array(&gltf->arena, capacity, sizeof *instances->items)};
    return instances->items && impi_item_table_make(&gltf->arena, capacity, &instances->table);
}

// Two hashes of the stretch. Who finds an item by them compares it with what it looks for.
static impi_ItemKey key_of_item(const void *items, uint32_t item)
{
    const impi_GltfInstance *instance = (const impi_GltfInstance *)items + item;
    impi_ItemKey key = {{instance->source, 0, 1}};
    for (size_t i = 0; i < IMPI_STRETCH_WORDS; ++i) {
        key.words[1] = impi_mix_bits(key.words[1] + instance->stretch[i]);
        key.words[2] = impi_mix_bits(key.words[2] ^ instance->stretch[i]);
    }
    return key;
}

static impi_GltfInstance make_instance(uint32_t source, const imp_Transform *stretch, imp_Mesh *mesh)
{
    impi_GltfInstance instance = {.source = source, .mesh = mesh};
    _Static_assert(sizeof instance.stretch == sizeof *stretch, "a stretch is so many words");
    memcpy(instance.stretch, stretch, sizeof *stretch);
    return instance;
}

imp_Mesh *impi_gltf_instances_find(const impi_GltfInstances *instances, uint32_t source,
                                   const imp_Transform *stretch)
{
    const impi_GltfInstance wanted = make_instance(source, stretch, NULL);
    uint32_t item =
        impi_item_table_find(&instances->table, key_of_item(&wanted, 0), key_of_item, instances->items);
    if (item == IMPI_NO_ITEM)
        return NULL;
    const impi_GltfInstance *found = &instances->items[item];
    bool is_same =
        found->source == source && memcmp(found->stretch, wanted.stretch, sizeof wanted.stretch) == 0;
    return is_same ? found->mesh : NULL;
}

void impi_gltf_instances_add(impi_GltfInstances *instances, uint32_t source, const imp_Transform *stretch,
                             imp_Mesh *mesh)
{
    uint32_t item = instances->count++;
    instances->items[item] = make_instance(source, stretch, mesh);
    impi_item_table_add(&instances->table, item, key_of_item, instances->items);
}
