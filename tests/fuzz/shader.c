/* Any bytes as a shader [ANN-OP-01]. Checks what the header promises: the input is left alone, what
 * is found lies inside of it, parts have the tag and the size that stand before them, and the same
 * bytes say the same again. */
#include <annot/shader.h>

#include <stdlib.h>
#include <string.h>

static void expect(bool holds)
{
    if (!holds)
        abort();
}

static bool is_inside(const uint8_t *data, size_t size, const void *part, size_t part_size)
{
    const uint8_t *at = part;
    return at >= data && at <= data + size && part_size <= (size_t)(data + size - at);
}

static void walk(const uint8_t *data, size_t size)
{
    annot_container container;
    const uint8_t *content;
    size_t content_size;
    uint32_t tag, parts = 0;
    if (!annot_container_open(data, size, &container))
        return;
    expect(container.data == data && container.size <= size);
    while (annot_container_part(&container, parts, &tag, &content, &content_size)) {
        expect(is_inside(data, container.size, content - 8, content_size + 8));
        expect(memcmp(content - 8, &tag, sizeof tag) == 0);
        parts++;
    }
    expect(parts <= container.part_count && parts <= size / 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    annot_shader shader, again;
    /* exactly as large as the input, so that the sanitizer sees a read past it */
    uint8_t *const data = malloc(size ? size : 1);
    expect(data != NULL);
    memcpy(data, input, size);
    expect(annot_shader_read(data, size, &shader) == (size > 0));
    expect(annot_shader_read(data, size, &again) == (size > 0));
    expect(memcmp(data, input, size) == 0);
    expect(shader.form == again.form && shader.stage == again.stage && shader.xxh3 == again.xxh3 &&
           shader.flags == again.flags && shader.debug_name == again.debug_name);
    expect(shader.form <= ANNOT_SHADER_FORM_SPIRV && shader.stage <= ANNOT_SHADER_STAGE_NODE);
    expect((shader.debug_name != NULL) == (shader.debug_name_size > 0));
    if (shader.debug_name) {
        expect(is_inside(data, size, shader.debug_name, shader.debug_name_size));
        expect(memchr(shader.debug_name, 0, shader.debug_name_size) == NULL);
    }
    walk(data, size);
    free(data);
    return 0;
}
