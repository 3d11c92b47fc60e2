/* The functions of the layer below, one table for each instance and device. */
#pragma once

#include "commands.h"
#include "device_fault.h"

#include <vulkan/vulkan.h>

/* F(name): of VkInstance. */
#define VKL_INSTANCE_FUNCTIONS(F)                                                                  \
    F(DestroyInstance)                                                                             \
    F(EnumerateDeviceExtensionProperties)                                                          \
    F(GetPhysicalDeviceProperties)                                                                 \
    F(GetPhysicalDeviceMemoryProperties)                                                           \
    F(GetPhysicalDeviceQueueFamilyProperties)                                                      \
    F(GetPhysicalDeviceFeatures2)                                                                  \
    F(GetPhysicalDeviceFeatures2KHR)

/* F(name, other): functions of VkDevice; `other` is the extension's name of the function. */
#define VKL_DEVICE_FUNCTIONS(F)                                                                    \
    F(DestroyDevice, )                                                                             \
    F(GetDeviceQueue, )                                                                            \
    F(GetDeviceQueue2, )                                                                           \
    F(DeviceWaitIdle, )                                                                            \
    F(QueueWaitIdle, )                                                                             \
    F(QueueSubmit, )                                                                               \
    F(QueueSubmit2, KHR)                                                                           \
    F(QueueBindSparse, )                                                                           \
    F(QueuePresentKHR, )                                                                           \
    F(AcquireNextImageKHR, )                                                                       \
    F(AcquireNextImage2KHR, )                                                                      \
    F(WaitForPresentKHR, )                                                                         \
    F(GetSwapchainStatusKHR, )                                                                     \
    F(GetSwapchainCounterEXT, )                                                                    \
    F(GetRefreshCycleDurationGOOGLE, )                                                             \
    F(GetPastPresentationTimingGOOGLE, )                                                           \
    F(CreateCommandPool, )                                                                         \
    F(DestroyCommandPool, )                                                                        \
    F(ResetCommandPool, )                                                                          \
    F(AllocateCommandBuffers, )                                                                    \
    F(FreeCommandBuffers, )                                                                        \
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
    F(CmdEndRendering2KHR, )                                                                       \
    F(CmdPipelineBarrier, )                                                                        \
    F(CmdBindPipeline, )                                                                           \
    F(CmdBindIndexBuffer, )                                                                        \
    F(CmdBindIndexBuffer2, KHR)                                                                    \
    F(CmdBindVertexBuffers, )                                                                      \
    F(CmdBindVertexBuffers2, EXT)                                                                  \
    F(CmdPipelineBarrier2, KHR)                                                                    \
    F(CmdNextSubpass, )                                                                            \
    F(CmdNextSubpass2, KHR)                                                                        \
    F(CreateImage, )                                                                               \
    F(CreateImageView, )                                                                           \
    F(CreateFramebuffer, )                                                                         \
    F(CreateRenderPass, )                                                                          \
    F(CreateRenderPass2, KHR)                                                                      \
    F(CreateSwapchainKHR, )                                                                        \
    F(GetSwapchainImagesKHR, )                                                                     \
    F(CreateShaderModule, )                                                                        \
    F(CreateComputePipelines, )                                                                    \
    F(CreateGraphicsPipelines, )                                                                   \
    F(CreateRayTracingPipelinesKHR, )                                                              \
    F(DestroyFence, )                                                                              \
    F(ResetFences, )                                                                               \
    F(GetFenceStatus, )                                                                            \
    F(WaitForFences, )                                                                             \
    F(CreateSemaphore, )                                                                           \
    F(DestroySemaphore, )                                                                          \
    F(GetSemaphoreCounterValue, KHR)                                                               \
    F(WaitSemaphores, KHR)                                                                         \
    F(SignalSemaphore, KHR)                                                                        \
    F(GetEventStatus, )                                                                            \
    F(GetQueryPoolResults, )                                                                       \
    F(CreateQueryPool, )                                                                           \
    F(ResetQueryPool, EXT)                                                                         \
    F(CmdWriteTimestamp, )                                                                         \
    F(CreateBuffer, )                                                                              \
    F(GetBufferMemoryRequirements, )                                                               \
    F(AllocateMemory, )                                                                            \
    F(FreeMemory, )                                                                                \
    F(MapMemory, )                                                                                 \
    F(BindBufferMemory, )                                                                          \
    F(CmdWriteBufferMarkerAMD, )                                                                   \
    F(CmdSetCheckpointNV, )                                                                        \
    F(GetQueueCheckpointDataNV, )                                                                  \
    F(GetDeviceFaultInfoEXT, )                                                                     \
    F(GetDeviceFaultReportsKHR, )                                                                  \
    F(GetDeviceFaultDebugInfoKHR, )                                                                \
    F(CmdBeginDebugUtilsLabelEXT, )                                                                \
    F(CmdEndDebugUtilsLabelEXT, )                                                                  \
    F(CmdInsertDebugUtilsLabelEXT, )                                                               \
    F(QueueBeginDebugUtilsLabelEXT, )                                                              \
    F(QueueEndDebugUtilsLabelEXT, )                                                                \
    F(QueueInsertDebugUtilsLabelEXT, )                                                             \
    F(SetDebugUtilsObjectNameEXT, )                                                                \
    F(SetDebugUtilsObjectTagEXT, )                                                                 \
    F(CmdDebugMarkerBeginEXT, )                                                                    \
    F(CmdDebugMarkerEndEXT, )                                                                      \
    F(CmdDebugMarkerInsertEXT, )                                                                   \
    F(DebugMarkerSetObjectNameEXT, )                                                               \
    F(DebugMarkerSetObjectTagEXT, )

/* F(type, name in VkObjectType): objects that the layer knows only by name. */
#define VKL_NAMED_OBJECTS(F)                                                                       \
    F(Buffer, BUFFER)                                                                              \
    F(Image, IMAGE)                                                                                \
    F(Event, EVENT)                                                                                \
    F(QueryPool, QUERY_POOL)                                                                       \
    F(BufferView, BUFFER_VIEW)                                                                     \
    F(ImageView, IMAGE_VIEW)                                                                       \
    F(ShaderModule, SHADER_MODULE)                                                                 \
    F(PipelineCache, PIPELINE_CACHE)                                                               \
    F(PipelineLayout, PIPELINE_LAYOUT)                                                             \
    F(RenderPass, RENDER_PASS)                                                                     \
    F(Pipeline, PIPELINE)                                                                          \
    F(DescriptorSetLayout, DESCRIPTOR_SET_LAYOUT)                                                  \
    F(Sampler, SAMPLER)                                                                            \
    F(DescriptorPool, DESCRIPTOR_POOL)                                                             \
    F(Framebuffer, FRAMEBUFFER)                                                                    \
    F(SwapchainKHR, SWAPCHAIN_KHR)                                                                 \
    F(AccelerationStructureKHR, ACCELERATION_STRUCTURE_KHR)

struct vkl_instance_next {
    PFN_vkGetInstanceProcAddr GetInstanceProcAddr;
#define VKL_MEMBER(name) PFN_vk##name name;
    VKL_INSTANCE_FUNCTIONS(VKL_MEMBER)
#undef VKL_MEMBER
};

struct vkl_device_next {
    PFN_vkGetDeviceProcAddr GetDeviceProcAddr;
#define VKL_MEMBER(name, other) PFN_vk##name name;
    VKL_DEVICE_FUNCTIONS(VKL_MEMBER)
#undef VKL_MEMBER
#define VKL_MEMBER(name, other, parameters, arguments) PFN_vkCmd##name Cmd##name;
    VKL_COMMANDS(VKL_MEMBER)
#undef VKL_MEMBER
#define VKL_MEMBER(type, kind) PFN_vkDestroy##type Destroy##type;
    VKL_NAMED_OBJECTS(VKL_MEMBER)
#undef VKL_MEMBER
};
