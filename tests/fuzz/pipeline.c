/* Any bytes as what a D3D12 program gives a pipeline: a shader, whose signatures and bindings are
 * walked, and a root signature of versions 1.0 to 1.2. Nothing is read past them, what is found
 * lies inside of them, and a root signature that is good covers what it binds. */
#include "pipeline/bytecode.h"
#include "root_signature/root_signature_blob.h"

#include <stdlib.h>

static void expect(bool holds)
{
    if (!holds)
        abort();
}

static void walk(const struct shader_table *signature, const uint8_t *data, size_t size)
{
    for (uint32_t i = 0; i < signature->count; i++) {
        const struct shader_element element = shader_element_at(signature, i);
        const uint8_t *name = (const uint8_t *)element.name;
        expect(name >= data && name < data + size);
        expect(memchr(name, 0, (size_t)(data + size - name)) != NULL);
    }
}

static void read_shader(const uint8_t *data, size_t size)
{
    struct shader_code code;
    if (!shader_code_read(data, size, &code))
        return;
    walk(&code.inputs, data, size);
    walk(&code.outputs, data, size);
    walk(&code.patch, data, size);
    for (uint32_t i = 0; i < code.bindings.count; i++)
        expect(shader_binding_at(&code, i).kind <= D3D12_DESCRIPTOR_RANGE_TYPE_SAMPLER);
}

static void read_root(const uint8_t *data, size_t size)
{
    struct root_desc root;
    struct root_error_text error;
    struct root_registers registers;
    if (root_signature_read(data, size, &root) != ROOT_READ_OK)
        return;
    if (SUCCEEDED(root_desc_check(&root, &error)) && root_registers_find(&root.desc, &registers)) {
        for (size_t i = 0; i < registers.count; i++) {
            const struct root_binding *b = &registers.all[i];
            expect(b->first <= b->last && b->last <= UINT32_MAX);
            expect(root_registers_cover(&registers, b->kind, b->visibility, b->space,
                                        (UINT)b->first, (UINT)b->last));
        }
        free(registers.all);
    }
    root_desc_finish(&root);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    uint8_t *const data = malloc(size ? size : 1);
    expect(data != NULL);
    memcpy(data, input, size);
    read_shader(data, size);
    read_root(data, size);
    expect(memcmp(data, input, size) == 0);
    free(data);
    return 0;
}
