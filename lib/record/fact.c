/* Sets facts: keys and values that the application gives about itself. */
#include "record/record.h"

#include <string.h>

static struct annot__fact *find(annot_device *device, const char *key)
{
    for (uint32_t i = 0; i < device->fact_count; i++)
        if (strcmp(device->facts[i].key, key) == 0)
            return &device->facts[i];
    return NULL;
}

/* Takes the fact out of the list. The caller frees the fact's memory, outside the lock. */
static struct annot__fact take(annot_device *device, struct annot__fact *fact)
{
    struct annot__fact taken = {0};
    if (!fact)
        return taken;
    taken = *fact;
    for (device->fact_count--; fact < device->facts + device->fact_count; fact++)
        *fact = fact[1];
    return taken;
}

static annot_result fact_make(annot_device *device, const char *key, const char *value,
                              struct annot__fact *out)
{
    size_t key_size = strlen(key) + 1, value_size = strlen(value) + 1;
    if (key_size - 1 > ANNOT_FACT_KEY_MAX || value_size - 1 > ANNOT_FACT_VALUE_MAX)
        return ANNOT_ERROR_TOO_LARGE;
    out->size = key_size + value_size;
    out->key = annot__allocate(device, out->size, ANNOT__MAX_ALIGN);
    if (!out->key)
        return ANNOT_ERROR_OUT_OF_MEMORY;
    out->value = out->key + key_size;
    memcpy(out->key, key, key_size);
    memcpy(out->value, value, value_size);
    return ANNOT_OK;
}

annot_result annot_device_set_fact(annot_device *device, const char *key, const char *value)
{
    struct annot__fact made = {0}, old = {0};
    if (!device || !key || !*key)
        return ANNOT_ERROR_INVALID_ARGUMENT;
    if (annot__is_inherited(device))
        return ANNOT_ERROR_FORKED;
    if (value && !*value)
        value = NULL;
    annot_result result = value ? fact_make(device, key, value, &made) : ANNOT_OK;
    if (result != ANNOT_OK)
        return result;
    annot__mutex_lock(&device->objects_lock);
    struct annot__fact *present = find(device, key);
    if (present && value) {
        old = *present;
        *present = made;
    } else if (!value) {
        old = take(device, present);
    } else if (device->fact_count < ANNOT_FACTS_MAX) {
        device->facts[device->fact_count++] = made;
    } else {
        old = made;
        result = ANNOT_ERROR_TOO_LARGE;
    }
    annot__mutex_unlock(&device->objects_lock);
    annot__release(device, old.key, old.size);
    return result;
}

void annot__facts_finish(annot_device *device)
{
    for (uint32_t i = 0; i < device->fact_count; i++)
        annot__release(device, device->facts[i].key, device->facts[i].size);
}
