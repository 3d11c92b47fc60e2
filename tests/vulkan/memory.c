/* A page fault names the living or destroyed buffer at its address, by what the driver or the
 * application tells of addresses; else the dump has the buffers that were destroyed last. */
#include "asserts.h"
#include "kit.h"

#include <stdio.h>

static VkBuffer buffer_of(struct app *app, const char *name, bool is_asked, VkDeviceMemory memory,
                          VkDeviceSize size)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size};
    VkBuffer buffer;
    cr_assert_eq(app->vk.CreateBuffer(app->device, &info, NULL, &buffer), VK_SUCCESS);
    const VkBufferDeviceAddressInfo asked = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                             .buffer = buffer};
    app_name(app, VK_OBJECT_TYPE_BUFFER, (uint64_t)buffer, name);
    app->vk.BindBufferMemory(app->device, buffer, memory, 0);
    if (is_asked)
        app->vk.GetBufferDeviceAddress(app->device, &asked);
    return buffer;
}

/* The driver will tell a page fault, and addresses. */
static void open_fault(uint64_t address)
{
    static VkDeviceFaultInfoKHR report;
    report = (VkDeviceFaultInfoKHR){
        .flags = VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR | VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR,
        .faultAddressInfo = {VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT, address, 1}};
    mock_reset();
    mock.has_fault_khr = mock.has_addresses = true;
    mock.fault_reports = &report;
    mock.fault_report_count = 1;
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
    open_fault(row->address);
    mock.has_addresses = strchr(row->how, 't');
    app_open(&app, &(struct app_desc){.level = "low"});
    mock.address = 0;
    VkBuffer buffer = buffer_of(&app, "Vertices", is_asked, VK_NULL_HANDLE, 4096);
    app_submit(&app, app_command(&app, "{a w1 }"), VK_NULL_HANDLE);
    if (is_destroyed)
        app.vk.DestroyBuffer(app.device, buffer, NULL);
    for (const char *at = strchr(row->how, '+'); at && *at; at++)
        for (int i = 0; i < 512; i++)
            app.vk.DestroyBuffer(app.device, buffer_of(&app, NULL, is_asked, VK_NULL_HANDLE, 4096),
                                 NULL);
    if (strchr(row->how, 'r')) {
        mock.address = 0;
        buffer = buffer_of(&app, "Next", is_asked, VK_NULL_HANDLE, 4096);
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

/* Two buffers and an image of unlike sizes outlive their memory, at 0x10000, 0x20000 and 0x30000.
 * f: it is freed; u: the driver unbinds them; d: then they are destroyed; n: "Next" is there, too
 */
static void outlive(uint32_t at, char way)
{
    static const char *const are[] = {"\"Small\"%s (buffer, 256 bytes at 0x10000)",
                                      "\"Large\"%s (buffer, 65536 bytes at 0x20000)",
                                      "\"Color\"%s (image, 4096 bytes at 0x30000)"};
    const VkImageCreateInfo info = {.imageType = VK_IMAGE_TYPE_2D, .extent = {64, 64, 1}};
    char owner[80];
    VkDeviceMemory memory;
    VkImage image;
    open_fault((at + 1) << 16);
    APP(.level = "low");
    mock.address = 0;
    app.vk.AllocateMemory(app.device, &(VkMemoryAllocateInfo){.allocationSize = 1}, NULL, &memory);
    const VkBuffer small = buffer_of(&app, "Small", true, memory, 256),
                   large = buffer_of(&app, "Large", false, VK_NULL_HANDLE, 65536);
    app.vk.CreateImage(app.device, &info, NULL, &image);
    app_name(&app, VK_OBJECT_TYPE_IMAGE, (uint64_t)image, "Color");
    const VkBindBufferMemoryInfo with = {.buffer = large, .memory = memory};
    const VkBindImageMemoryInfo of_image = {.image = image, .memory = memory};
    app.vk.BindBufferMemory2(app.device, 1, &with);
    app.vk.BindImageMemory2(app.device, 1, &of_image);
    app_submit(&app, app_command(&app, "{a w1 }"), VK_NULL_HANDLE);
    if (way == 'u')
        mock_tell_address(VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT,
                          at < 2 ? VK_OBJECT_TYPE_BUFFER : VK_OBJECT_TYPE_IMAGE,
                          (uint64_t[]){(uint64_t)small, (uint64_t)large, (uint64_t)image}[at],
                          (at + 1) << 16, 256);
    else
        app.vk.FreeMemory(app.device, memory, NULL);
    const VkBufferDeviceAddressInfo invalid = {.buffer = small};
    app.vk.GetBufferDeviceAddress(app.device, &invalid);
    app_submit(&app, app_command(&app, "{b w2 }"), VK_NULL_HANDLE);
    mock.address = at << 16;
    const VkBuffer next = way == 'n' ? buffer_of(&app, "Next", true, VK_NULL_HANDLE, 64) : 0;
    if (way != 'd')
        app_lose(&app);
    app.vk.DestroyBuffer(app.device, small, NULL);
    app.vk.DestroyBuffer(app.device, large, NULL);
    app.vk.DestroyImage(app.device, image, NULL);
    app_lose(&app); /* after the first time without effect */
    if (way == 'u')
        app.vk.FreeMemory(app.device, memory, NULL);
    app.vk.DestroyBuffer(app.device, next, NULL);
    snprintf(owner, sizeof owner, are[at], way == 'd' ? " (destroyed)" : "");
    const char *text = app_report(&app),
               *has[] = {owner, "), memory freed 0.000000 s before the error\n",
                         MADE ", memory freed before submission 2\n",
                         way == 'n' ? "(\"Next\")" : "(freed \""};
    for (int i = 0; i < 4; i++)
        cr_expect_not_null(strstr(text, has[i]), "%c: no %s: %s", way, has[i], text);
}

Test(vulkan_memory, of_freed_memory_a_fault_names_what_has_it)
{
    for (const char *way = "fudn"; *way; way++)
        for (uint32_t at = 0; at < 3; at++)
            outlive(at, *way);
}

/* What a call that failed gave is not used. */
Test(vulkan_memory, a_device_works_without_what_fails)
{
    const char *const calls[] = {"vkCreateDebugUtilsMessengerEXT", "vkAllocateMemory"};
    for (int i = 0; i < 2; i++) {
        mock.has_addresses = true;
        mock.fails_by = calls[i];
        APP();
        mock.fails_by = NULL;
    }
}
