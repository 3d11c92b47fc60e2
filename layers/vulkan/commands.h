/* Lists the commands that do work; level "exact" tracks each of them: F(name, ending of the same
 * command in an extension, parameters, arguments). */
#pragma once

#include <vulkan/vulkan.h>

/* A command of Vulkan 1.4, declared here for older headers:
 * https://docs.vulkan.org/refpages/latest/refpages/source/vkCmdBindIndexBuffer2.html */
#ifndef VK_VERSION_1_4
typedef void(VKAPI_PTR *PFN_vkCmdBindIndexBuffer2)(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                   VkDeviceSize offset, VkDeviceSize size,
                                                   VkIndexType indexType);
#endif
/* Commands that are newer than Vulkan 1.4. pRenderingEndInfo has a type of the KHR or the EXT. */
#ifndef VK_KHR_maintenance10
typedef void(VKAPI_PTR *PFN_vkCmdEndRendering2KHR)(VkCommandBuffer commandBuffer,
                                                   const void *pRenderingEndInfo);
#endif
#ifndef VK_EXT_fragment_density_map_offset
typedef void(VKAPI_PTR *PFN_vkCmdEndRendering2EXT)(VkCommandBuffer commandBuffer,
                                                   const void *pRenderingEndInfo);
#endif

#define VKL_WORKS(F)                                                                               \
    F(Draw, , (VkCommandBuffer b, uint32_t n, uint32_t i, uint32_t v, uint32_t f),                 \
      (b, n, i, v, f))                                                                             \
    F(DrawIndexed, ,                                                                               \
      (VkCommandBuffer b, uint32_t n, uint32_t i, uint32_t x, int32_t v, uint32_t f),              \
      (b, n, i, x, v, f))                                                                          \
    F(DrawIndirect, , (VkCommandBuffer b, VkBuffer o, VkDeviceSize s, uint32_t n, uint32_t t),     \
      (b, o, s, n, t))                                                                             \
    F(DrawIndexedIndirect, ,                                                                       \
      (VkCommandBuffer b, VkBuffer o, VkDeviceSize s, uint32_t n, uint32_t t), (b, o, s, n, t))    \
    F(DrawIndirectCount, KHR,                                                                      \
      (VkCommandBuffer b, VkBuffer o, VkDeviceSize s, VkBuffer c, VkDeviceSize d, uint32_t n,      \
       uint32_t t),                                                                                \
      (b, o, s, c, d, n, t))                                                                       \
    F(DrawIndexedIndirectCount, KHR,                                                               \
      (VkCommandBuffer b, VkBuffer o, VkDeviceSize s, VkBuffer c, VkDeviceSize d, uint32_t n,      \
       uint32_t t),                                                                                \
      (b, o, s, c, d, n, t))                                                                       \
    F(DrawMeshTasksEXT, , (VkCommandBuffer b, uint32_t x, uint32_t y, uint32_t z), (b, x, y, z))   \
    F(Dispatch, , (VkCommandBuffer b, uint32_t x, uint32_t y, uint32_t z), (b, x, y, z))           \
    F(DispatchBase, KHR,                                                                           \
      (VkCommandBuffer b, uint32_t p, uint32_t q, uint32_t r, uint32_t x, uint32_t y, uint32_t z), \
      (b, p, q, r, x, y, z))                                                                       \
    F(DispatchIndirect, , (VkCommandBuffer b, VkBuffer o, VkDeviceSize s), (b, o, s))              \
    F(CopyBuffer, ,                                                                                \
      (VkCommandBuffer b, VkBuffer f, VkBuffer t, uint32_t n, const VkBufferCopy *r),              \
      (b, f, t, n, r))                                                                             \
    F(CopyBuffer2, KHR, (VkCommandBuffer b, const VkCopyBufferInfo2 *i), (b, i))                   \
    F(CopyImage, ,                                                                                 \
      (VkCommandBuffer b, VkImage f, VkImageLayout g, VkImage t, VkImageLayout u, uint32_t n,      \
       const VkImageCopy *r),                                                                      \
      (b, f, g, t, u, n, r))                                                                       \
    F(CopyImage2, KHR, (VkCommandBuffer b, const VkCopyImageInfo2 *i), (b, i))                     \
    F(BlitImage, ,                                                                                 \
      (VkCommandBuffer b, VkImage f, VkImageLayout g, VkImage t, VkImageLayout u, uint32_t n,      \
       const VkImageBlit *r, VkFilter k),                                                          \
      (b, f, g, t, u, n, r, k))                                                                    \
    F(BlitImage2, KHR, (VkCommandBuffer b, const VkBlitImageInfo2 *i), (b, i))                     \
    F(CopyBufferToImage, ,                                                                         \
      (VkCommandBuffer b, VkBuffer f, VkImage t, VkImageLayout u, uint32_t n,                      \
       const VkBufferImageCopy *r),                                                                \
      (b, f, t, u, n, r))                                                                          \
    F(CopyBufferToImage2, KHR, (VkCommandBuffer b, const VkCopyBufferToImageInfo2 *i), (b, i))     \
    F(CopyImageToBuffer, ,                                                                         \
      (VkCommandBuffer b, VkImage f, VkImageLayout g, VkBuffer t, uint32_t n,                      \
       const VkBufferImageCopy *r),                                                                \
      (b, f, g, t, n, r))                                                                          \
    F(CopyImageToBuffer2, KHR, (VkCommandBuffer b, const VkCopyImageToBufferInfo2 *i), (b, i))     \
    F(UpdateBuffer, ,                                                                              \
      (VkCommandBuffer b, VkBuffer t, VkDeviceSize o, VkDeviceSize s, const void *d),              \
      (b, t, o, s, d))                                                                             \
    F(FillBuffer, , (VkCommandBuffer b, VkBuffer t, VkDeviceSize o, VkDeviceSize s, uint32_t d),   \
      (b, t, o, s, d))                                                                             \
    F(ClearColorImage, ,                                                                           \
      (VkCommandBuffer b, VkImage t, VkImageLayout u, const VkClearColorValue *c, uint32_t n,      \
       const VkImageSubresourceRange *r),                                                          \
      (b, t, u, c, n, r))                                                                          \
    F(ClearDepthStencilImage, ,                                                                    \
      (VkCommandBuffer b, VkImage t, VkImageLayout u, const VkClearDepthStencilValue *c,           \
       uint32_t n, const VkImageSubresourceRange *r),                                              \
      (b, t, u, c, n, r))                                                                          \
    F(ClearAttachments, ,                                                                          \
      (VkCommandBuffer b, uint32_t n, const VkClearAttachment *a, uint32_t m,                      \
       const VkClearRect *r),                                                                      \
      (b, n, a, m, r))                                                                             \
    F(ResolveImage, ,                                                                              \
      (VkCommandBuffer b, VkImage f, VkImageLayout g, VkImage t, VkImageLayout u, uint32_t n,      \
       const VkImageResolve *r),                                                                   \
      (b, f, g, t, u, n, r))                                                                       \
    F(ResolveImage2, KHR, (VkCommandBuffer b, const VkResolveImageInfo2 *i), (b, i))               \
    F(CopyQueryPoolResults, ,                                                                      \
      (VkCommandBuffer b, VkQueryPool p, uint32_t f, uint32_t n, VkBuffer t, VkDeviceSize o,       \
       VkDeviceSize s, VkQueryResultFlags g),                                                      \
      (b, p, f, n, t, o, s, g))                                                                    \
    F(BuildAccelerationStructuresKHR, ,                                                            \
      (VkCommandBuffer b, uint32_t n, const VkAccelerationStructureBuildGeometryInfoKHR *i,        \
       const VkAccelerationStructureBuildRangeInfoKHR *const *r),                                  \
      (b, n, i, r))                                                                                \
    F(TraceRaysKHR, ,                                                                              \
      (VkCommandBuffer b, const VkStridedDeviceAddressRegionKHR *g,                                \
       const VkStridedDeviceAddressRegionKHR *m, const VkStridedDeviceAddressRegionKHR *h,         \
       const VkStridedDeviceAddressRegionKHR *c, uint32_t x, uint32_t y, uint32_t z),              \
      (b, g, m, h, c, x, y, z))                                                                    \
    F(DrawMultiEXT, ,                                                                              \
      (VkCommandBuffer b, uint32_t n, const VkMultiDrawInfoEXT *v, uint32_t i, uint32_t f,         \
       uint32_t t),                                                                                \
      (b, n, v, i, f, t))                                                                          \
    F(DrawMultiIndexedEXT, ,                                                                       \
      (VkCommandBuffer b, uint32_t n, const VkMultiDrawIndexedInfoEXT *v, uint32_t i, uint32_t f,  \
       uint32_t t, const int32_t *o),                                                              \
      (b, n, v, i, f, t, o))                                                                       \
    F(DrawIndirectByteCountEXT, ,                                                                  \
      (VkCommandBuffer b, uint32_t i, uint32_t f, VkBuffer c, VkDeviceSize o, uint32_t d,          \
       uint32_t t),                                                                                \
      (b, i, f, c, o, d, t))                                                                       \
    F(DrawMeshTasksIndirectEXT, ,                                                                  \
      (VkCommandBuffer b, VkBuffer o, VkDeviceSize s, uint32_t n, uint32_t t), (b, o, s, n, t))    \
    F(DrawMeshTasksIndirectCountEXT, ,                                                             \
      (VkCommandBuffer b, VkBuffer o, VkDeviceSize s, VkBuffer c, VkDeviceSize d, uint32_t n,      \
       uint32_t t),                                                                                \
      (b, o, s, c, d, n, t))                                                                       \
    F(TraceRaysIndirectKHR, ,                                                                      \
      (VkCommandBuffer b, const VkStridedDeviceAddressRegionKHR *g,                                \
       const VkStridedDeviceAddressRegionKHR *m, const VkStridedDeviceAddressRegionKHR *h,         \
       const VkStridedDeviceAddressRegionKHR *c, VkDeviceAddress a),                               \
      (b, g, m, h, c, a))                                                                          \
    F(TraceRaysIndirect2KHR, , (VkCommandBuffer b, VkDeviceAddress a), (b, a))                     \
    F(BuildAccelerationStructuresIndirectKHR, ,                                                    \
      (VkCommandBuffer b, uint32_t n, const VkAccelerationStructureBuildGeometryInfoKHR *i,        \
       const VkDeviceAddress *a, const uint32_t *s, const uint32_t *const *m),                     \
      (b, n, i, a, s, m))                                                                          \
    F(CopyAccelerationStructureKHR, ,                                                              \
      (VkCommandBuffer b, const VkCopyAccelerationStructureInfoKHR *i), (b, i))                    \
    F(DecodeVideoKHR, , (VkCommandBuffer b, const VkVideoDecodeInfoKHR *i), (b, i))

/* Lists the commands that wait for events on the GPU and that have barriers. */
#define VKL_WAITING(F)                                                                             \
    F(WaitEvents, ,                                                                                \
      (VkCommandBuffer b, uint32_t n, const VkEvent *e, VkPipelineStageFlags s,                    \
       VkPipelineStageFlags d, uint32_t m, const VkMemoryBarrier *k, uint32_t o,                   \
       const VkBufferMemoryBarrier *p, uint32_t q, const VkImageMemoryBarrier *r),                 \
      (b, n, e, s, d, m, k, o, p, q, r))                                                           \
    F(WaitEvents2, KHR,                                                                            \
      (VkCommandBuffer b, uint32_t n, const VkEvent *e, const VkDependencyInfo *i), (b, n, e, i))

#define VKL_COMMANDS(F) VKL_WORKS(F) VKL_WAITING(F)
