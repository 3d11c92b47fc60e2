/* A program that submits work and ends without destroying its device, and whose exit takes its
 * time, as that of a big program or on a busy machine does: layers' own destructors have run by
 * then. */
#include <stdlib.h>
#include <time.h>

#include <vulkan/vulkan.h>

__attribute__((destructor)) static void end_slowly(void)
{
    nanosleep(&(struct timespec){0, 700000000}, NULL);
}

static void check(VkResult result)
{
    if (result != VK_SUCCESS)
        _Exit(3);
}

int main(void)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_2};
    const VkInstanceCreateInfo instance_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                                .pApplicationInfo = &application};
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                                .queueCount = 1,
                                                .pQueuePriorities = &priority};
    const VkDeviceCreateInfo device_info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                            .queueCreateInfoCount = 1,
                                            .pQueueCreateInfos = &queue_info};
    const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkCommandBuffer buffer;
    uint32_t count = 1;
    check(vkCreateInstance(&instance_info, NULL, &instance));
    if (vkEnumeratePhysicalDevices(instance, &count, &physical) < 0 || count == 0)
        return 77;
    check(vkCreateDevice(physical, &device_info, NULL, &device));
    vkGetDeviceQueue(device, 0, 0, &queue);
    check(vkCreateCommandPool(device, &pool_info, NULL, &pool));
    const VkCommandBufferAllocateInfo buffer_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = pool,
        .commandBufferCount = 1};
    check(vkAllocateCommandBuffers(device, &buffer_info, &buffer));
    check(vkBeginCommandBuffer(buffer, &begin));
    check(vkEndCommandBuffer(buffer));
    const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &buffer};
    check(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE));
    return 0;
}
