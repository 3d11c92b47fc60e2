/* Submissions to the mock driver, and what waits for them: fences, semaphores, queues. */
#include "mock.h"

static void push_signal(VkQueue queue, VkSemaphore semaphore, uint64_t value)
{
    mock_queue_push((struct mock_queue *)queue,
                    (struct mock_queued){.signal = (struct mock_semaphore *)semaphore,
                                         .value = value});
}

static void push_wait(VkQueue queue, VkSemaphore handle, uint64_t value)
{
    struct mock_semaphore *semaphore = (struct mock_semaphore *)handle;
    if (semaphore->is_timeline)
        mock_queue_push((struct mock_queue *)queue,
                        (struct mock_queued){.awaited = semaphore, .value = value});
}

static VkResult run(VkQueue queue, VkFence fence, const char *call)
{
    mock.submits++;
    if (fence)
        mock_queue_push((struct mock_queue *)queue,
                        (struct mock_queued){.fence = (struct mock_fence *)fence});
    mock_queue_run((struct mock_queue *)queue);
    return mock_result(call);
}

static VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count,
                                             const VkSubmitInfo *infos, VkFence fence)
{
    if (mock_result("vkQueueSubmit") == VK_ERROR_OUT_OF_HOST_MEMORY)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < count; i++, mock.batches++) {
        const VkTimelineSemaphoreSubmitInfo *values = infos[i].pNext;
        for (uint32_t j = 0; values && j < values->waitSemaphoreValueCount; j++)
            push_wait(queue, infos[i].pWaitSemaphores[j], values->pWaitSemaphoreValues[j]);
        mock.buffers += infos[i].commandBufferCount;
        for (uint32_t j = 0; j < infos[i].commandBufferCount; j++)
            mock_queue_push(
                (struct mock_queue *)queue,
                (struct mock_queued){.cmd = (struct mock_cmd *)infos[i].pCommandBuffers[j]});
        for (uint32_t j = 0; j < infos[i].signalSemaphoreCount; j++)
            push_signal(queue, infos[i].pSignalSemaphores[j],
                        values ? values->pSignalSemaphoreValues[j] : 1);
    }
    return run(queue, fence, "vkQueueSubmit");
}

static VKAPI_ATTR VkResult VKAPI_CALL submit2(VkQueue queue, uint32_t count,
                                              const VkSubmitInfo2 *infos, VkFence fence)
{
    if (mock_result("vkQueueSubmit2") == VK_ERROR_OUT_OF_HOST_MEMORY)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint32_t i = 0; i < count; i++, mock.batches++) {
        for (uint32_t j = 0; j < infos[i].waitSemaphoreInfoCount; j++)
            push_wait(queue, infos[i].pWaitSemaphoreInfos[j].semaphore,
                      infos[i].pWaitSemaphoreInfos[j].value);
        for (uint32_t j = 0; j < infos[i].commandBufferInfoCount; j++) {
            const VkCommandBufferSubmitInfo *info = &infos[i].pCommandBufferInfos[j];
            mock.foreign += info->deviceMask != 1;
            mock_queue_push((struct mock_queue *)queue,
                            (struct mock_queued){.cmd = (struct mock_cmd *)info->commandBuffer});
        }
        for (uint32_t j = 0; j < infos[i].signalSemaphoreInfoCount; j++)
            push_signal(queue, infos[i].pSignalSemaphoreInfos[j].semaphore,
                        infos[i].pSignalSemaphoreInfos[j].value);
    }
    return run(queue, fence, "vkQueueSubmit2");
}

#define ANSWER(name, call, parameters, ...)                                                        \
    static VKAPI_ATTR VkResult VKAPI_CALL name parameters                                          \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
        return mock_result(call);                                                                  \
    }
ANSWER(bind_sparse, "vkQueueBindSparse",
       (VkQueue queue, uint32_t count, const VkBindSparseInfo *infos, VkFence fence), (void)queue,
       (void)count, (void)infos, (void)fence)
ANSWER(present, "vkQueuePresentKHR", (VkQueue queue, const VkPresentInfoKHR *info), (void)queue,
       (void)info)
ANSWER(acquire, "vkAcquireNextImageKHR",
       (VkDevice device, VkSwapchainKHR swapchain, uint64_t timeout, VkSemaphore semaphore,
        VkFence fence, uint32_t *index),
       (void)device, (void)swapchain, (void)timeout, (void)semaphore, (void)fence, *index = 0)
ANSWER(acquire2, "vkAcquireNextImage2KHR",
       (VkDevice device, const VkAcquireNextImageInfoKHR *info, uint32_t *index), (void)device,
       (void)info, *index = 0)
ANSWER(wait_present, "vkWaitForPresentKHR",
       (VkDevice device, VkSwapchainKHR swapchain, uint64_t present_id, uint64_t timeout),
       (void)device, (void)swapchain, (void)present_id, (void)timeout)
ANSWER(swapchain_status, "vkGetSwapchainStatusKHR", (VkDevice device, VkSwapchainKHR swapchain),
       (void)device, (void)swapchain)
ANSWER(swapchain_counter, "vkGetSwapchainCounterEXT",
       (VkDevice device, VkSwapchainKHR swapchain, VkSurfaceCounterFlagBitsEXT which,
        uint64_t *value),
       (void)device, (void)swapchain, (void)which, *value = 0)
ANSWER(refresh, "vkGetRefreshCycleDurationGOOGLE",
       (VkDevice device, VkSwapchainKHR swapchain, VkRefreshCycleDurationGOOGLE *duration),
       (void)device, (void)swapchain, duration->refreshDuration = 1)
ANSWER(timing, "vkGetPastPresentationTimingGOOGLE",
       (VkDevice device, VkSwapchainKHR swapchain, uint32_t *count,
        VkPastPresentationTimingGOOGLE *timings),
       (void)device, (void)swapchain, (void)timings, *count = 0)
ANSWER(signal_semaphore, "vkSignalSemaphore", (VkDevice device, const VkSemaphoreSignalInfo *info),
       (void)device, ((struct mock_semaphore *)info->semaphore)->value = info->value)
ANSWER(event_status, "vkGetEventStatus", (VkDevice device, VkEvent event), (void)device,
       (void)event)

static VkResult unless_left(const char *call, bool is_left, VkResult left)
{
    const VkResult result = mock_result(call);
    return result == VK_SUCCESS && is_left && !mock.says_done ? left : result;
}

static VKAPI_ATTR VkResult VKAPI_CALL queue_wait(VkQueue queue)
{
    return unless_left("vkQueueWaitIdle", ((struct mock_queue *)queue)->is_hung, VK_TIMEOUT);
}

static VKAPI_ATTR VkResult VKAPI_CALL device_wait(VkDevice device)
{
    bool is_hung = false;
    for (int i = 0; i < 4; i++)
        is_hung |= ((struct mock_device *)device)->queues[i].is_hung;
    return unless_left("vkDeviceWaitIdle", is_hung, VK_TIMEOUT);
}

static VKAPI_ATTR VkResult VKAPI_CALL reset_fences(VkDevice device, uint32_t count,
                                                   const VkFence *fences)
{
    (void)device;
    for (uint32_t i = 0; i < count; i++)
        ((struct mock_fence *)fences[i])->is_signaled = false;
    return mock_result("vkResetFences");
}

static VKAPI_ATTR VkResult VKAPI_CALL fence_status(VkDevice device, VkFence fence)
{
    (void)device;
    return unless_left("vkGetFenceStatus", !((struct mock_fence *)fence)->is_signaled,
                       VK_NOT_READY);
}

static VKAPI_ATTR VkResult VKAPI_CALL wait_fences(VkDevice device, uint32_t count,
                                                  const VkFence *fences, VkBool32 all,
                                                  uint64_t timeout)
{
    (void)device, (void)timeout;
    uint32_t signaled = 0;
    for (uint32_t i = 0; i < count; i++)
        signaled += ((struct mock_fence *)fences[i])->is_signaled;
    return unless_left("vkWaitForFences", all ? signaled < count : signaled == 0, VK_TIMEOUT);
}

static VKAPI_ATTR VkResult VKAPI_CALL counter(VkDevice device, VkSemaphore semaphore,
                                              uint64_t *value)
{
    (void)device;
    *value = mock.counter_says_all ? UINT64_MAX : ((struct mock_semaphore *)semaphore)->value;
    return mock_result("vkGetSemaphoreCounterValue");
}

static VKAPI_ATTR VkResult VKAPI_CALL wait_semaphores(VkDevice device,
                                                      const VkSemaphoreWaitInfo *info,
                                                      uint64_t timeout)
{
    (void)device, (void)timeout;
    bool is_left = false;
    for (uint32_t i = 0; i < info->semaphoreCount; i++)
        is_left |= ((struct mock_semaphore *)info->pSemaphores[i])->value < info->pValues[i];
    return unless_left("vkWaitSemaphores", is_left, VK_TIMEOUT);
}

const struct mock_call mock_queue_calls[] = {
    CALL(ResetFences, reset_fences),
    CALL(GetFenceStatus, fence_status),
    CALL(WaitForFences, wait_fences),
    CALL(GetSemaphoreCounterValue, counter),
    CALL(WaitSemaphores, wait_semaphores),
    CALL(SignalSemaphore, signal_semaphore),
    CALL(GetEventStatus, event_status),
    CALL(QueueSubmit, submit),
    CALL(QueueSubmit2, submit2),
    CALL(QueueBindSparse, bind_sparse),
    CALL(QueuePresentKHR, present),
    CALL(AcquireNextImageKHR, acquire),
    CALL(AcquireNextImage2KHR, acquire2),
    CALL(WaitForPresentKHR, wait_present),
    CALL(GetSwapchainStatusKHR, swapchain_status),
    CALL(GetSwapchainCounterEXT, swapchain_counter),
    CALL(GetRefreshCycleDurationGOOGLE, refresh),
    CALL(GetPastPresentationTimingGOOGLE, timing),
    CALL(QueueWaitIdle, queue_wait),
    CALL(DeviceWaitIdle, device_wait),
    {NULL, NULL, NULL},
};
