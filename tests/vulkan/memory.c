/* A page fault names the living or destroyed buffer at its address, by what the driver or the
 * application tells of addresses; else the dump has the buffers that were destroyed last. */
#include "asserts.h"
#include "kit.h"

#include <stdio.h>

static VkBuffer buffer_of(struct app *app, const char *name, bool is_asked)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 4096};
    VkBuffer buffer;
    cr_assert_eq(app->vk.CreateBuffer(app->device, &info, NULL, &buffer), VK_SUCCESS);
    const VkBufferDeviceAddressInfo asked = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                             .buffer = buffer};
    app_name(app, VK_OBJECT_TYPE_BUFFER, (uint64_t)buffer, name);
    app->vk.BindBufferMemory(app->device, buffer, VK_NULL_HANDLE, 0);
    if (is_asked)
        app->vk.GetBufferDeviceAddress(app->device, &asked);
    return buffer;
}

struct row {
    /* t: the driver tells the address; a: the application asks for it; d: the buffer is destroyed,
     * and then, for each +, 512 others are made and destroyed, or r: "Next" gets its address */
    const char *how;
    uint64_t address;
    const char *has, *has_too, *has_not; /* NULL: nothing */
};

/* "Vertices" has 4,096 bytes from 0x10000 on. One submission is between its making and its end. */
static void fault(const struct row *row)
{
    AT_END(app_close) struct app app;
    const bool is_asked = strchr(row->how, 'a'), is_destroyed = strchr(row->how, 'd');
    const VkDeviceFaultInfoKHR report = {
        .flags = VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR | VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR,
        .faultAddressInfo = {VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT, row->address, 1}};
    mock_reset();
    mock.has_fault_khr = true;
    mock.has_addresses = strchr(row->how, 't');
    mock.fault_reports = &report;
    mock.fault_report_count = 1;
    app_open(&app, &(struct app_desc){.level = "low"});
    mock.address = 0;
    VkBuffer buffer = buffer_of(&app, "Vertices", is_asked);
    app_submit(&app, app_command(&app, "{a w1 }"), VK_NULL_HANDLE);
    if (is_destroyed)
        app.vk.DestroyBuffer(app.device, buffer, NULL);
    for (const char *at = strchr(row->how, '+'); at && *at; at++)
        for (int i = 0; i < 512; i++)
            app.vk.DestroyBuffer(app.device, buffer_of(&app, NULL, is_asked), NULL);
    if (strchr(row->how, 'r')) {
        mock.address = 0;
        buffer = buffer_of(&app, "Next", is_asked);
    }
    app_lose(&app);
    const char *text = app_report(&app), *has[] = {row->has, row->has_too};
    for (int i = 0; i < 2; i++)
        if (has[i])
            cr_expect_not_null(strstr(text, has[i]), "%s: no %s: %s", row->how, has[i], text);
    if (row->has_not)
        cr_expect_null(strstr(text, row->has_not), "%s: %s: %s", row->how, row->has_not, text);
    if (!is_destroyed || strchr(row->how, 'r'))
        app.vk.DestroyBuffer(app.device, buffer, NULL);
}

#define MADE  "  life         made before the device's submission 1"
#define ENDED MADE ", destroyed before submission 2\n"
#define FREED "(freed \"Vertices\")"

Test(vulkan_memory, a_fault_names_what_was_at_its_address)
{
    static const struct row rows[] = {
        {"t", 0x10010, "16 bytes into \"Vertices\" (buffer, 4096", MADE "\n", "destroyed"},
        {"td", 0x10fff, FREED, ENDED, NULL},
        {"td", 0x10fff, "4095 bytes into \"Vertices\"", "), destroyed 0.000000 s before", NULL},
        {"t", 0x11008, "in no object: 8 bytes past the end of \"Vertices\"", MADE "\n", NULL},
        {"td", 0xfff8, "in no object: 8 bytes before \"Vertices\"", ENDED, NULL},
        {"t", 0x1000000000, "in no object, and no object is near", NULL, NULL},
        {"a", 0x10000, "0 bytes into \"Vertices\" (buffer, 4096", MADE "\n", "destroyed"},
        {"ad", 0x10000, FREED, ENDED, NULL},
        {"d", 0x10000, "destroyed last Vertices, 4096 bytes\n", NULL, "bytes into"},
        {"", 0x10000, "0x10000", NULL, "Vertices"},
        {"tdr", 0x10000, "0 bytes into \"Next\"", "0 bytes into \"Vertices\"", "no object"},
        {"adr", 0x10000, "0 bytes into \"Next\"", ENDED, NULL},
        {"td+", 0x10000, FREED, ENDED, NULL},
        {"td++", 0x10000, "in no object", NULL, "Vertices"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        fault(&rows[i]);
}
