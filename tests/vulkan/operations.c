/* The operation of the label that hung: its numbers, its pipeline and the hashes of its shaders, as
 * far as the level knows them [ANN-OP-01]. */
#include "asserts.h"
#include "calls.h"
#include "classes.h"
#include "kit.h"

#include <stdio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* A module of a head and one word, as it need be no more to be read. */
static const uint32_t code[6] = {0x07230203, 0x00010000, 0, 8, 0, 77};

static VkShaderModule module_of(struct app *app, const uint32_t *words, size_t size,
                                const char *name)
{
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size, .pCode = words};
    VkShaderModule module;
    cr_assert_eq(app->vk.CreateShaderModule(app->device, &info, NULL, &module), VK_SUCCESS);
    if (name)
        app_name(app, VK_OBJECT_TYPE_SHADER_MODULE, (uint64_t)module, name);
    return module;
}

static VkPipeline pipeline_of(struct app *app, const VkPipelineShaderStageCreateInfo *stage,
                              const char *name)
{
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .stage = *stage};
    VkPipeline pipeline;
    cr_assert_eq(app->vk.CreateComputePipelines(app->device, VK_NULL_HANDLE, 1, &info, NULL,
                                                &pipeline),
                 VK_SUCCESS);
    app_name(app, VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline, name);
    return pipeline;
}

static VkPipelineShaderStageCreateInfo stage_of(VkShaderModule module, const void *next)
{
    return (VkPipelineShaderStageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .pNext = next,
        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
        .module = module};
}

/* Work 1 with "Quick", works 2 and 3 with "Spin"; work `hang` hangs. */
static void hang_at(struct app *app, const char *level, const char *script, uint32_t hang)
{
    app_open(app, &(struct app_desc){.level = level});
    VkShaderModule module = module_of(app, code, sizeof code, "spin.comp");
    const VkPipelineShaderStageCreateInfo stage = stage_of(module, NULL);
    VkPipeline quick = pipeline_of(app, &stage, "Quick"), spin = pipeline_of(app, &stage, "Spin");
    app->vk.DestroyShaderModule(app->device, module, NULL);
    VkCommandBuffer buffer = app_begin(app);
    app->vk.CmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, quick);
    app_write(app, buffer, "{frame {quick w1 }", VK_NULL_HANDLE);
    app->vk.CmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, spin);
    app_write(app, buffer, script, VK_NULL_HANDLE);
    app_write(app, buffer, "}", VK_NULL_HANDLE);
    app->vk.EndCommandBuffer(buffer);
    mock.hang = hang;
    app_submit(app, buffer, VK_NULL_HANDLE);
    cr_assert(app_watch(app));
}

static const struct {
    const char *claim, *level, *script;
    uint32_t hang;
    const char *says; /* NULL: of no operation */
} levels[] = {
    {"low knows none", "low", "{spin w2 }", 2, NULL},
    {"labels knows the last one of the label", "labels", "{spin w2 w3 } {next w4 }", 2,
     "last operation Dispatch(3, 0, 0), one of several"},
    {"labels knows a label's only one", "labels", "{spin w2 } {next w4 }", 2, "Dispatch(2, 0, 0)"},
    /* Labels inside of a pass, and what works in them, are recorded apart. */
    {"those of a pass before the label are none of it", "labels", "[ {in w2 } ] {spin w3 }", 3,
     "operation      Dispatch(3, 0, 0)\n"},
    {"nor at exact", "exact", "[ {in w2 } ] {spin w3 }", 3, "operation      Dispatch(3, 0, 0)\n"},
    {"exact knows the one that hung", "exact", "{spin w2 w3 w4 }", 3,
     "operation      Dispatch(3, 0, 0)\n"},
    {"exact names its place", "exact", "{spin w2 w3 w4 }", 3, "frame / spin / vkCmdDispatch"},
};

Test(vulkan_operations, are_known_as_far_as_the_level_knows_them)
{
    char shader[64];
    snprintf(shader, sizeof shader, "shader         cs %016llx, \"spin.comp\"",
             (unsigned long long)XXH3_64bits(code, sizeof code));
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        AT_END(app_close) struct app app;
        hang_at(&app, levels[i].level, levels[i].script, levels[i].hang);
        const char *report = app_report(&app), *says = levels[i].says, *claim = levels[i].claim;
        cr_expect_eq(strstr(report, says ? says : "operation ") != NULL, says != NULL, "%s: %s",
                     claim, report);
        cr_expect_eq(strstr(report, says ? "pipeline       \"Spin\"" : "Spin\"") != NULL,
                     says != NULL, "%s: %s", claim, report);
        cr_expect_eq(strstr(report, shader) != NULL, says != NULL, "%s: %s", claim, report);
        cr_expect_null(strstr(report, "pipeline       \"Quick\""), "%s: %s", claim, report);
    }
}

static VkBuffer buffer_of(struct app *app, const char *name)
{
    VkBuffer buffer;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 16};
    app->vk.CreateBuffer(app->device, &info, NULL, &buffer);
    app_name(app, VK_OBJECT_TYPE_BUFFER, (uint64_t)buffer, name);
    return buffer;
}

Test(vulkan_operations, an_indirect_one_names_its_arguments_buffer)
{
    APP(.level = "exact");
    VkBuffer buffer = buffer_of(&app, "Args");
    VkCommandBuffer commands = app_begin(&app);
    app.vk.CmdDispatchIndirect(commands, buffer, 64);
    app.vk.EndCommandBuffer(commands);
    mock.hang = 64;
    app_submit(&app, commands, VK_NULL_HANDLE);
    cr_assert(app_watch(&app));
    const char *report = app_report(&app);
    cr_expect_not_null(strstr(report, "operation      ExecuteIndirect(at most 1, offset 64)\n"),
                       "%s", report);
    cr_expect_not_null(strstr(report, "arguments      \"Args\""), "%s", report);
    app.vk.DestroyBuffer(app.device, buffer, NULL);
}

/* The index buffer is the one that was bound last, by either call; the next recording has none. */
Test(vulkan_operations, draws_name_their_index_and_count_buffers)
{
    for (uint32_t hang = 3; hang <= 6; hang++) {
        mock_reset();
        APP(.level = "exact");
        VkBuffer buffers[] = {buffer_of(&app, "Old"), buffer_of(&app, "New"),
                              buffer_of(&app, "Args"), buffer_of(&app, "Counts")};
        VkCommandBuffer commands = app_begin(&app);
        app.vk.CmdDrawIndexed(commands, 3, 1, 0, 0, 0);
        app.vk.CmdBindIndexBuffer(commands, buffers[0], 0, VK_INDEX_TYPE_UINT16);
        app.vk.CmdDrawIndexed(commands, 4, 1, 0, 0, 0);
        app.vk.CmdBindIndexBuffer2(commands, buffers[1], 0, 16, VK_INDEX_TYPE_UINT16);
        app.vk.CmdDrawIndexed(commands, 5, 1, 0, 0, 0);
        app.vk.CmdDrawIndexedIndirectCount(commands, buffers[2], 6, buffers[3], 0, 1, 20);
        app.vk.EndCommandBuffer(commands);
        mock.hang = hang;
        app_submit(&app, commands, VK_NULL_HANDLE);
        cr_assert(app_watch(&app));
        const char *report = app_report(&app);
        cr_expect_eq(strstr(report, "indices        \"Old\"") != NULL, hang == 4, "%s", report);
        cr_expect_eq(strstr(report, "indices        \"New\"") != NULL, hang >= 5, "%s", report);
        cr_expect_eq(strstr(report, "arguments      \"Args\"") != NULL, hang == 6, "%s", report);
        cr_expect_eq(strstr(report, "counts         \"Counts\"") != NULL, hang == 6, "%s", report);
        for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
            app.vk.DestroyBuffer(app.device, buffers[i], NULL);
    }
}

/* Code without a module, and the shaders of a pipeline's libraries. */
Test(vulkan_operations, shaders_come_from_stages_and_libraries)
{
    static const uint32_t other[6] = {0x07230203, 0x00010000, 0, 8, 0, 78};
    const VkShaderModuleCreateInfo inlined = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                              .codeSize = sizeof other,
                                              .pCode = other};
    APP(.level = "exact");
    const VkPipelineShaderStageCreateInfo stage = stage_of(VK_NULL_HANDLE, &inlined);
    VkPipeline part = pipeline_of(&app, &stage, "Part"), whole;
    const VkPipelineLibraryCreateInfoKHR libraries = {
        VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, NULL, 1, &part};
    const VkGraphicsPipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &libraries};
    app.vk.CreateGraphicsPipelines(app.device, VK_NULL_HANDLE, 1, &info, NULL, &whole);
    app.vk.DestroyPipeline(app.device, part, NULL);
    struct vkl_shaders known = {0};
    vkl_shaders_add(app.layer, VK_OBJECT_TYPE_PIPELINE, (uint64_t)whole, &known);
    cr_assert_eq(known.count, 1);
    cr_expect_eq(known.shaders[0].xxh3, XXH3_64bits(other, sizeof other));
    cr_expect_eq(known.shaders[0].stage, ANNOT_SHADER_STAGE_COMPUTE);
}

/* A pipeline that is asked for by its modules' identifiers has no code to hash
 * [VK_EXT_shader_module_identifier]. */
Test(vulkan_operations, shaders_without_code_have_their_identifier)
{
    static const uint8_t identifier[20] = {7, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    VkPipelineShaderStageModuleIdentifierCreateInfoEXT named = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT,
        .identifierSize = sizeof identifier,
        .pIdentifier = identifier};
    APP(.level = "exact");
    const VkPipelineShaderStageCreateInfo stage = stage_of(VK_NULL_HANDLE, &named);
    VkPipeline pipeline = pipeline_of(&app, &stage, "Cached");
    struct vkl_shaders known = {0};
    vkl_shaders_add(app.layer, VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline, &known);
    cr_assert_eq(known.count, 1);
    cr_expect_eq(known.shaders[0].xxh3, XXH3_64bits(identifier, sizeof identifier));
    cr_expect_eq(known.shaders[0].form, ANNOT_SHADER_FORM_OTHER);
    cr_expect_eq(known.shaders[0].stage, ANNOT_SHADER_STAGE_COMPUTE);
    named.identifierSize = 0;
    pipeline = pipeline_of(&app, &stage, "Unknown");
    struct vkl_shaders none = {0};
    vkl_shaders_add(app.layer, VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline, &none);
    cr_expect_eq(none.count, 0);
}

Test(vulkan_operations, the_driver_s_cache_uuid_is_in_the_dump)
{
    APP();
    app_lose(&app);
    const char *report = app_report(&app);
    cr_expect_not_null(strstr(report, "cache UUID   a0a1a2a3a4a5a6a7a8a9aaabacadaeaf\n"), "%s",
                       report);
}

/* ---- commands that the layer has no function of its own for ---- */

typedef void(VKAPI_PTR *later_command)(VkCommandBuffer, uint64_t, float, double, uint64_t, uint32_t,
                                       uint64_t, uint8_t, float, uint64_t);

static void call_later(struct app *app, const char *name, VkCommandBuffer commands, uint64_t number)
{
    const later_command later = (later_command)vkl_GetDeviceProcAddr(app->device, name);
    cr_assert(later);
    later(commands, number, 0.5f, -2.25, UINT64_MAX, 7, 1, 9, 1e9f, 0x123456789ABCDEF0);
}

/* Scripts: `d` a dispatch, `?` a command of a later Vulkan, `f` one of a kind that is known, `n`
 * and `c` ones whose arguments are, too, `w` a wait for events, `m` a draw of several; the number
 * is that of its place, from 1. */
static void play_others(struct app *app, VkCommandBuffer commands, const char *script)
{
    for (uint32_t i = 1; script[i - 1]; i++) {
        const VkMultiDrawInfoEXT draw = {5, i};
        switch (script[i - 1]) {
        case 'd':
            app->vk.CmdDispatch(commands, i, 0, 0);
            break;
        case '?':
            call_later(app, "vkCmdLaterEXT", commands, i);
            break;
        case 'f':
            call_later(app, "vkCmdFillMemoryKHR", commands, i);
            break;
        case 'n':
            call_later(app, "vkCmdDrawMeshTasksNV", commands, i);
            break;
        case 'c':
            ((PFN_vkCmdDrawMeshTasksIndirectCountNV)vkl_GetDeviceProcAddr(
                app->device, "vkCmdDrawMeshTasksIndirectCountNV"))(
                commands, (VkBuffer)(uint64_t)i, UINT64_MAX, (VkBuffer)UINT64_MAX, 1, 9, 3);
            break;
        case 'w':
            app->vk.CmdWaitEvents2(commands, i, NULL, NULL);
            break;
        default:
            app->vk.CmdDrawMultiEXT(commands, 1, &draw, 1, 0, 0);
            break;
        }
    }
}

/* ANN-OP-01, ANN-TRUTH: no neighbour is blamed as the only one. */
Test(vulkan_operations, commands_without_a_function_are_counted)
{
    static const struct {
        const char *script;
        uint32_t hang;
        const char *said;
    } rows[] = {
        {"?d", 1, "last operation Dispatch(2, 0, 0), one of several"},
        {"d?", 1, "last operation unknown command, one of several"},
        {"?", 1, "operation      unknown command\n"},
        {"f", 1, "operation      ClearUnorderedAccessView\n"},
        {"n", 1, "operation      DispatchMesh(1)\n"},
        {"c", 1, "operation      ExecuteIndirect(at most 9, offset -1)\n"},
        {"wd", 1, "last operation Dispatch(2, 0, 0), one of several"},
        {"w", 1, "operation      WaitEvents(1)\n"},
        {"w", 1, "Look at WaitEvents(1): which call sets the event? Look for a vkSetEvent or"},
        {"md", 1, "last operation Dispatch(2, 0, 0), one of several"},
        {"m", 1, "operation      Draw"},
        {"d", 1, "operation      Dispatch(1, 0, 0)\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        APP(.level = "labels");
        VkCommandBuffer commands = app_begin(&app);
        app_write(&app, commands, "{frame ", VK_NULL_HANDLE);
        play_others(&app, commands, rows[i].script);
        app_write(&app, commands, "}", VK_NULL_HANDLE);
        app.vk.EndCommandBuffer(commands);
        mock.hang = rows[i].hang;
        app_submit(&app, commands, VK_NULL_HANDLE);
        cr_assert(app_watch(&app), "%s: the arguments came as they were", rows[i].script);
        const char *report = app_report(&app);
        cr_expect_not_null(strstr(report, rows[i].said), "%s: %s", rows[i].script, report);
    }
}

typedef void(VKAPI_PTR *state_command)(VkCommandBuffer);

/* What they may have set is not said of commands behind them [Vulkan, Command Buffer Lifecycle]. */
Test(vulkan_operations, a_pipeline_is_not_known_behind_shaders_secondaries_and_unknown_commands)
{
    static const char *const names[] = {NULL, "vkCmdBindShadersEXT", "vkCmdLaterEXT",
                                        "vkCmdSetSampleMaskEXT" /* sets no pipeline */};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        APP(.level = "labels");
        const VkPipelineShaderStageCreateInfo stage = stage_of(VK_NULL_HANDLE, NULL);
        VkPipeline pipeline = pipeline_of(&app, &stage, "Bound");
        VkCommandBuffer commands = app_begin(&app);
        VkCommandBuffer secondary = app_allocate(&app, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
        app_record(&app, secondary, 0, "w7", VK_NULL_HANDLE);
        app.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
        if (i == 0)
            app_write(&app, commands, "S", secondary);
        else if (i == 2)
            call_later(&app, names[i], commands, 9);
        else
            ((state_command)vkl_GetDeviceProcAddr(app.device, names[i]))(commands);
        app_write(&app, commands, "{spin w2 }", VK_NULL_HANDLE);
        app.vk.EndCommandBuffer(commands);
        mock.hang = 2;
        app_submit(&app, commands, VK_NULL_HANDLE);
        cr_assert(app_watch(&app));
        const char *report = app_report(&app);
        cr_expect_not_null(strstr(report, "Dispatch(2, 0, 0)"), "%s", report);
        cr_expect_eq(strstr(report, "\"Bound\"") != NULL, i == 3, "%zu: %s", i, report);
    }
}

/* Asking for a command changes nothing; those that do no work, and those that are not there, are
 * the next layer's. */
Test(vulkan_operations, commands_that_do_no_work_are_the_next_layer_s)
{
    static const char *const same[] = {"vkCmdSetSampleMaskEXT", "vkCmdNowhereEXT"};
    for (int is_low = 0; is_low < 2; is_low++) {
        APP(.level = is_low ? "low" : "labels");
        for (size_t i = 0; i < 2; i++)
            cr_expect_eq(vkl_GetDeviceProcAddr(app.device, same[i]),
                         mock_GetDeviceProcAddr(app.device, same[i]), "%s", same[i]);
        PFN_vkVoidFunction below = mock_GetDeviceProcAddr(app.device, "vkCmdLaterEXT");
        cr_expect_eq(vkl_GetDeviceProcAddr(app.device, "vkCmdLaterEXT") == below, is_low);
        cr_expect_eq(vkl_GetDeviceProcAddr(app.device, "vkCmdLaterEXT"),
                     vkl_GetDeviceProcAddr(app.device, "vkCmdLaterEXT"));
    }
}

/* Each command of the installed headers has one class. */
Test(vulkan_operations, every_command_of_the_headers_has_a_class)
{
    static const char *const classed[] = {
#define NAME(name)                            #name,
#define WORK(name, kind)                      #name,
#define BOTH(name, other, parameters, passed) #name, #name #other,
        VKL_COMMANDS(BOTH) VKL_OTHER_WORK(WORK) VKL_ORDER(NAME) VKL_STATE(NAME) VKL_LABELS(NAME)};
    char line[512];
    FILE *header = fopen(VULKAN_CORE_H, "r");
    uint32_t commands = 0;
    cr_assert(header);
    while (fgets(line, sizeof line, header)) {
        char *name = strstr(line, "*PFN_vkCmd");
        if (!name)
            continue;
        name += strlen("*PFN_vkCmd");
        name[strcspn(name, ")")] = 0;
        uint32_t times = 0;
        for (size_t i = 0; i < sizeof classed / sizeof *classed; i++)
            times += strcmp(classed[i], name) == 0 &&
                     (i == 0 || strcmp(classed[i - 1], classed[i]) != 0);
        cr_expect_eq(times, 1, "vkCmd%s: %u", name, times);
        commands++;
    }
    fclose(header);
    cr_expect_gt(commands, 200);
}
