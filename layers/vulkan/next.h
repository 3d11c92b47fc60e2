/* Tables with the functions of the next layer or the driver, for each instance and each device. */
#pragma once

#include "commands.h"
#include "device_fault.h"

/* Calls F(name) for each function of a VkInstance that the layer calls. */
#define VKL_INSTANCE_FUNCTIONS(F)                                                                  \
    F(DestroyInstance)                                                                             \
    F(EnumerateDeviceExtensionProperties)                                                          \
    F(GetPhysicalDeviceProperties)                                                                 \
    F(GetPhysicalDeviceMemoryProperties)                                                           \
    F(GetPhysicalDeviceQueueFamilyProperties)                                                      \
    F(CreateDebugUtilsMessengerEXT)                                                                \
    F(DestroyDebugUtilsMessengerEXT)                                                               \
    F(GetPhysicalDeviceFeatures2)                                                                  \
    F(GetPhysicalDeviceFeatures2KHR)

/* Calls F(name, other) for the functions of a VkDevice that a table of the layer has. `other` is
 * the name's ending in an extension. */
#define VKL_DEVICE_CALLS(F)                                                                        \
    F(DestroyDevice, )                                                                             \
    F(GetDeviceQueue, )                                                                            \
    F(GetDeviceQueue2, )

#define VKL_POOL_CALLS(F)                                                                          \
    F(CreateCommandPool, )                                                                         \
    F(DestroyCommandPool, )                                                                        \
    F(ResetCommandPool, )                                                                          \
    F(AllocateCommandBuffers, )                                                                    \
    F(FreeCommandBuffers, )

#define VKL_RECORDING_CALLS(F)                                                                     \
    F(BeginCommandBuffer, )                                                                        \
    F(EndCommandBuffer, )                                                                          \
    F(ResetCommandBuffer, )                                                                        \
    F(CmdExecuteCommands, )                                                                        \
    F(CmdBeginRenderPass, )                                                                        \
    F(CmdBeginRenderPass2, KHR)                                                                    \
    F(CmdEndRenderPass, )                                                                          \
    F(CmdEndRenderPass2, KHR)                                                                      \
    F(CmdBeginRendering, KHR)                                                                      \
    F(CmdEndRendering, KHR)                                                                        \
    F(CmdEndRendering2EXT, )                                                                       \
    F(CmdEndRendering2KHR, )

#define VKL_LABEL_CALLS(F)                                                                         \
    F(CmdBeginDebugUtilsLabelEXT, )                                                                \
    F(CmdEndDebugUtilsLabelEXT, )                                                                  \
    F(CmdInsertDebugUtilsLabelEXT, )                                                               \
    F(QueueBeginDebugUtilsLabelEXT, )                                                              \
    F(QueueEndDebugUtilsLabelEXT, )                                                                \
    F(QueueInsertDebugUtilsLabelEXT, )                                                             \
    F(CmdDebugMarkerBeginEXT, )                                                                    \
    F(CmdDebugMarkerEndEXT, )                                                                      \
    F(CmdDebugMarkerInsertEXT, )

#define VKL_NAME_CALLS(F)                                                                          \
    F(SetDebugUtilsObjectNameEXT, )                                                                \
    F(SetDebugUtilsObjectTagEXT, )                                                                 \
    F(DebugMarkerSetObjectNameEXT, )                                                               \
    F(DebugMarkerSetObjectTagEXT, )

#define VKL_SYNC_CALLS(F)                                                                          \
    F(GetFenceStatus, )                                                                            \
    F(WaitForFences, )                                                                             \
    F(CreateSemaphore, )                                                                           \
    F(GetSemaphoreCounterValue, KHR)                                                               \
    F(WaitSemaphores, KHR)                                                                         \
    F(SignalSemaphore, KHR)                                                                        \
    F(ImportSemaphoreFdKHR, )                                                                      \
    F(QueueBindSparse, )                                                                           \
    F(QueueWaitIdle, )                                                                             \
    F(DeviceWaitIdle, )

#define VKL_SUBMIT_CALLS(F)                                                                        \
    F(QueueSubmit, )                                                                               \
    F(QueueSubmit2, KHR)

#define VKL_PIPELINE_CALLS(F)                                                                      \
    F(CreateShaderModule, )                                                                        \
    F(CreateComputePipelines, )                                                                    \
    F(CreateGraphicsPipelines, )                                                                   \
    F(CreateRayTracingPipelinesKHR, )

#define VKL_OPERATION_CALLS(F)                                                                     \
    F(CmdBindPipeline, )                                                                           \
    F(CmdBindIndexBuffer, )                                                                        \
    F(CmdBindIndexBuffer2, KHR)

#define VKL_MEMORY_CALLS(F)                                                                        \
    F(CreateBuffer, )                                                                              \
    F(CreateImage, )                                                                               \
    F(BindBufferMemory, )                                                                          \
    F(BindBufferMemory2, KHR)                                                                      \
    F(BindImageMemory, )                                                                           \
    F(BindImageMemory2, KHR)                                                                       \
    F(GetBufferDeviceAddress, KHR)

#define VKL_BOUND_CALLS(F)                                                                         \
    F(CreateSwapchainKHR, )                                                                        \
    F(GetSwapchainImagesKHR, )                                                                     \
    F(CreateImageView, )                                                                           \
    F(CreateFramebuffer, )                                                                         \
    F(CreateRenderPass, )                                                                          \
    F(CreateRenderPass2, KHR)                                                                      \
    F(CmdNextSubpass, )                                                                            \
    F(CmdNextSubpass2, KHR)                                                                        \
    F(CmdBindVertexBuffers, )                                                                      \
    F(CmdBindVertexBuffers2, EXT)                                                                  \
    F(CmdPipelineBarrier, )                                                                        \
    F(CmdPipelineBarrier2, KHR)

/* Lists functions that the layer calls but doesn't replace for applications. */
#define VKL_NEXT_ONLY(F)                                                                           \
    F(CmdWriteTimestamp, )                                                                         \
    F(CreateQueryPool, )                                                                           \
    F(ResetQueryPool, EXT)                                                                         \
    F(GetBufferMemoryRequirements, )                                                               \
    F(AllocateMemory, )                                                                            \
    F(MapMemory, )                                                                                 \
    F(CmdWriteBufferMarkerAMD, )                                                                   \
    F(CmdSetCheckpointNV, )                                                                        \
    F(GetQueueCheckpointDataNV, )                                                                  \
    F(GetDeviceFaultInfoEXT, )                                                                     \
    F(GetDeviceFaultReportsKHR, )                                                                  \
    F(GetDeviceFaultDebugInfoKHR, )

/* Functions that are passed on and checked for a loss: F(name, other, parameters, arguments). */
#define VKL_CHECKED_CALLS(F)                                                                       \
    F(ResetFences, , (VkDevice handle, uint32_t count, const VkFence *fences),                     \
      (handle, count, fences))                                                                     \
    F(GetEventStatus, , (VkDevice handle, VkEvent event), (handle, event))                         \
    F(GetQueryPoolResults, ,                                                                       \
      (VkDevice handle, VkQueryPool pool, uint32_t first, uint32_t count, size_t size, void *data, \
       VkDeviceSize stride, VkQueryResultFlags flags),                                             \
      (handle, pool, first, count, size, data, stride, flags))                                     \
    F(AcquireNextImageKHR, ,                                                                       \
      (VkDevice handle, VkSwapchainKHR swapchain, uint64_t timeout, VkSemaphore semaphore,         \
       VkFence fence, uint32_t * index),                                                           \
      (handle, swapchain, timeout, semaphore, fence, index))                                       \
    F(AcquireNextImage2KHR, ,                                                                      \
      (VkDevice handle, const VkAcquireNextImageInfoKHR *info, uint32_t *index),                   \
      (handle, info, index))                                                                       \
    F(WaitForPresentKHR, ,                                                                         \
      (VkDevice handle, VkSwapchainKHR swapchain, uint64_t present, uint64_t timeout),             \
      (handle, swapchain, present, timeout))                                                       \
    F(GetSwapchainStatusKHR, , (VkDevice handle, VkSwapchainKHR swapchain), (handle, swapchain))   \
    F(GetSwapchainCounterEXT, ,                                                                    \
      (VkDevice handle, VkSwapchainKHR swapchain, VkSurfaceCounterFlagBitsEXT which,               \
       uint64_t * value),                                                                          \
      (handle, swapchain, which, value))                                                           \
    F(GetRefreshCycleDurationGOOGLE, ,                                                             \
      (VkDevice handle, VkSwapchainKHR swapchain, VkRefreshCycleDurationGOOGLE * duration),        \
      (handle, swapchain, duration))                                                               \
    F(GetPastPresentationTimingGOOGLE, ,                                                           \
      (VkDevice handle, VkSwapchainKHR swapchain, uint32_t * count,                                \
       VkPastPresentationTimingGOOGLE * timings),                                                  \
      (handle, swapchain, count, timings))                                                         \
    F(QueuePresentKHR, , (VkQueue handle, const VkPresentInfoKHR *info), (handle, info))

/* Lists functions that destroy named objects: F(name, other, type, name in VkObjectType). */
#define VKL_DESTROY_CALLS(F)                                                                       \
    F(DestroyBuffer, , Buffer, BUFFER)                                                             \
    F(DestroyImage, , Image, IMAGE)                                                                \
    F(DestroyEvent, , Event, EVENT)                                                                \
    F(DestroyQueryPool, , QueryPool, QUERY_POOL)                                                   \
    F(DestroyBufferView, , BufferView, BUFFER_VIEW)                                                \
    F(DestroyImageView, , ImageView, IMAGE_VIEW)                                                   \
    F(DestroyShaderModule, , ShaderModule, SHADER_MODULE)                                          \
    F(DestroyPipelineCache, , PipelineCache, PIPELINE_CACHE)                                       \
    F(DestroyPipelineLayout, , PipelineLayout, PIPELINE_LAYOUT)                                    \
    F(DestroyRenderPass, , RenderPass, RENDER_PASS)                                                \
    F(DestroyPipeline, , Pipeline, PIPELINE)                                                       \
    F(DestroyDescriptorSetLayout, , DescriptorSetLayout, DESCRIPTOR_SET_LAYOUT)                    \
    F(DestroySampler, , Sampler, SAMPLER)                                                          \
    F(DestroyDescriptorPool, , DescriptorPool, DESCRIPTOR_POOL)                                    \
    F(DestroyFramebuffer, , Framebuffer, FRAMEBUFFER)                                              \
    F(DestroySwapchainKHR, , SwapchainKHR, SWAPCHAIN_KHR)                                          \
    F(DestroyAccelerationStructureKHR, , AccelerationStructureKHR, ACCELERATION_STRUCTURE_KHR)     \
    F(DestroyAccelerationStructureNV, , AccelerationStructureNV, ACCELERATION_STRUCTURE_NV)        \
    F(DestroyFence, , Fence, FENCE)                                                                \
    F(DestroySemaphore, , Semaphore, SEMAPHORE)                                                    \
    F(FreeMemory, , DeviceMemory, DEVICE_MEMORY)

/* Lists all functions of a VkDevice that the layer calls. G is for the last two lists. */
/* clang-format off */
#define VKL_DEVICE_FUNCTIONS(F, G)                                                                 \
    VKL_DEVICE_CALLS(F) VKL_POOL_CALLS(F) VKL_RECORDING_CALLS(F) VKL_LABEL_CALLS(F)                \
    VKL_NAME_CALLS(F) VKL_SYNC_CALLS(F) VKL_SUBMIT_CALLS(F) VKL_PIPELINE_CALLS(F)                  \
    VKL_OPERATION_CALLS(F) VKL_BOUND_CALLS(F) VKL_MEMORY_CALLS(F) VKL_NEXT_ONLY(F)                 \
    VKL_CHECKED_CALLS(G)                                                                           \
    VKL_DESTROY_CALLS(G)
/* clang-format on */

struct vkl_instance_next {
    PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
#define VKL_MEMBER(name) PFN_vk##name name;
    VKL_INSTANCE_FUNCTIONS(VKL_MEMBER)
#undef VKL_MEMBER
};

struct vkl_device_next {
    PFN_vkGetDeviceProcAddr GetDeviceProcAddr;
#define VKL_MEMBER(name, ...)  PFN_vk##name name;
#define VKL_COMMAND(name, ...) VKL_MEMBER(Cmd##name, )
    VKL_DEVICE_FUNCTIONS(VKL_MEMBER, VKL_MEMBER)
    VKL_COMMANDS(VKL_COMMAND)
#undef VKL_MEMBER
#undef VKL_COMMAND
};
