/* Classes of the commands for which the layer has no function, from headers up to 1.4.363. The
 * names here have no vkCmd. The commands in commands.h also do work, but have functions. A command
 * in neither file may do work, so unknown.c counts it. */
#pragma once

/* The class of commands that do work: F(name, kind). Reports show the kind. */
/* clang-format off */
#define VKL_OTHER_WORK(F)                                                                          \
    F(BuildAccelerationStructureNV, BUILD) F(BuildClusterAccelerationStructureIndirectNV, BUILD)   \
    F(BuildMicromapsEXT, BUILD) F(BuildPartitionedAccelerationStructuresNV, BUILD)                 \
    F(ConvertCooperativeVectorMatrixNV, META) F(CopyAccelerationStructureNV, COPY_STRUCTURE)       \
    F(CopyAccelerationStructureToMemoryKHR, COPY_STRUCTURE) F(CopyGpaSessionResultsAMD, QUERY)     \
    F(CopyImageToMemoryKHR, COPY_TEXTURE) F(CopyMemoryIndirectKHR, INDIRECT)                    \
    F(CopyMemoryIndirectNV, INDIRECT) F(CopyMemoryKHR, COPY_BUFFER)                             \
    F(CopyMemoryToAccelerationStructureKHR, COPY_STRUCTURE)                                        \
    F(CopyMemoryToImageIndirectKHR, INDIRECT) F(CopyMemoryToImageIndirectNV, INDIRECT)     \
    F(CopyMemoryToImageKHR, COPY_TEXTURE) F(CopyMemoryToMicromapEXT, COPY_STRUCTURE)               \
    F(CopyMicromapEXT, COPY_STRUCTURE) F(CopyMicromapToMemoryEXT, COPY_STRUCTURE)                  \
    F(CopyQueryPoolResultsToMemoryKHR, QUERY) F(CopyTensorARM, COPY_TEXTURE)                       \
    F(CuLaunchKernelNVX, DISPATCH) F(CudaLaunchKernelNV, DISPATCH) F(DecompressMemoryEXT, META)    \
    F(DecompressMemoryIndirectCountEXT, META) F(DecompressMemoryIndirectCountNV, META)             \
    F(DecompressMemoryNV, META) F(DispatchDataGraphARM, GRAPH) F(DispatchGraphAMDX, GRAPH)         \
    F(DispatchGraphIndirectAMDX, GRAPH) F(DispatchGraphIndirectCountAMDX, GRAPH)                   \
    F(DispatchIndirect2KHR, INDIRECT) F(DispatchTileQCOM, DISPATCH) F(DrawClusterHUAWEI, MESH)     \
    F(DrawClusterIndirectHUAWEI, INDIRECT) F(DrawIndexedIndirect2KHR, INDIRECT)                    \
    F(DrawIndexedIndirectCount2KHR, INDIRECT) F(DrawIndexedIndirectCountAMD, INDIRECT)             \
    F(DrawIndirect2KHR, INDIRECT) F(DrawIndirectByteCount2EXT, INDIRECT)                           \
    F(DrawIndirectCount2KHR, INDIRECT) F(DrawIndirectCountAMD, INDIRECT)                           \
    F(DrawMeshTasksIndirect2EXT, INDIRECT) F(DrawMeshTasksIndirectCount2EXT, INDIRECT)             \
    F(DrawMeshTasksIndirectCountNV, INDIRECT) F(DrawMeshTasksIndirectNV, INDIRECT)                 \
    F(DrawMeshTasksNV, MESH) F(EncodeVideoKHR, ENCODE) F(ExecuteGeneratedCommandsEXT, INDIRECT)    \
    F(ExecuteGeneratedCommandsNV, INDIRECT) F(FillMemoryKHR, FILL)                                 \
    F(InitializeGraphScratchMemoryAMDX, META) F(OpticalFlowExecuteNV, MOTION)                      \
    F(PreprocessGeneratedCommandsEXT, META) F(PreprocessGeneratedCommandsNV, META)                 \
    F(SubpassShadingHUAWEI, DISPATCH) F(TraceRaysNV, RAYS) F(UpdateMemoryKHR, WRITE)               \
    F(UpdatePipelineIndirectBufferNV, META) F(WriteAccelerationStructuresPropertiesKHR, EMIT)      \
    F(WriteAccelerationStructuresPropertiesNV, EMIT) F(WriteMicromapsPropertiesEXT, EMIT)

/* The class "order": commands that delay or contain work. */
#define VKL_ORDER(F)                                                                               \
    F(BeginConditionalRendering2EXT) F(BeginConditionalRenderingEXT) F(BeginCustomResolveEXT)      \
    F(BeginDebugUtilsLabelEXT) F(BeginGpaSampleAMD) F(BeginGpaSessionAMD)                          \
    F(BeginPerTileExecutionQCOM) F(BeginQuery) F(BeginQueryIndexedEXT) F(BeginRenderPass)          \
    F(BeginRenderPass2) F(BeginRenderPass2KHR) F(BeginRendering) F(BeginRenderingKHR)              \
    F(BeginShaderInstrumentationARM) F(BeginTransformFeedback2EXT) F(BeginTransformFeedbackEXT)    \
    F(BeginVideoCodingKHR) F(ControlVideoCodingKHR) F(EndConditionalRenderingEXT)                  \
    F(EndDebugUtilsLabelEXT) F(EndGpaSampleAMD) F(EndGpaSessionAMD) F(EndPerTileExecutionQCOM)     \
    F(EndQuery) F(EndQueryIndexedEXT) F(EndRenderPass) F(EndRenderPass2) F(EndRenderPass2KHR)      \
    F(EndRendering) F(EndRendering2EXT) F(EndRendering2KHR) F(EndRenderingKHR)                     \
    F(EndShaderInstrumentationARM) F(EndTransformFeedback2EXT) F(EndTransformFeedbackEXT)          \
    F(EndVideoCodingKHR) F(ExecuteCommands) F(NextSubpass) F(NextSubpass2) F(NextSubpass2KHR)      \
    F(PipelineBarrier) F(PipelineBarrier2) F(PipelineBarrier2KHR) F(ResetEvent) F(ResetEvent2)     \
    F(ResetEvent2KHR) F(ResetQueryPool) F(SetCheckpointNV) F(SetDispatchParametersARM)             \
    F(SetEvent) F(SetEvent2) F(SetEvent2KHR) F(WriteBufferMarker2AMD) F(WriteBufferMarkerAMD)      \
    F(WriteMarkerToMemoryAMD) F(WriteTimestamp) F(WriteTimestamp2) F(WriteTimestamp2KHR)

/* The class "state": commands that set state for later work. */
#define VKL_STATE(F)                                                                               \
    F(BindDescriptorBufferEmbeddedSamplers2EXT) F(BindDescriptorBufferEmbeddedSamplersEXT)         \
    F(BindDescriptorBuffersEXT) F(BindDescriptorSets) F(BindDescriptorSets2)                       \
    F(BindDescriptorSets2KHR) F(BindIndexBuffer) F(BindIndexBuffer2) F(BindIndexBuffer2KHR)        \
    F(BindIndexBuffer3KHR) F(BindInvocationMaskHUAWEI) F(BindPipeline)                             \
    F(BindPipelineShaderGroupNV) F(BindResourceHeapEXT) F(BindSamplerHeapEXT) F(BindShadersEXT)    \
    F(BindShadingRateImageNV) F(BindTileMemoryQCOM) F(BindTransformFeedbackBuffers2EXT)            \
    F(BindTransformFeedbackBuffersEXT) F(BindVertexBuffers) F(BindVertexBuffers2)                  \
    F(BindVertexBuffers2EXT) F(BindVertexBuffers3KHR) F(PushConstants) F(PushConstants2)           \
    F(PushConstants2KHR) F(PushDataEXT) F(PushDescriptorSet) F(PushDescriptorSet2)                 \
    F(PushDescriptorSet2KHR) F(PushDescriptorSetKHR) F(PushDescriptorSetWithTemplate)              \
    F(PushDescriptorSetWithTemplate2) F(PushDescriptorSetWithTemplate2KHR)                         \
    F(PushDescriptorSetWithTemplateKHR) F(SetAlphaToCoverageEnableEXT) F(SetAlphaToOneEnableEXT)   \
    F(SetAttachmentFeedbackLoopEnableEXT) F(SetBlendConstants) F(SetCoarseSampleOrderNV)           \
    F(SetColorBlendAdvancedEXT) F(SetColorBlendEnableEXT) F(SetColorBlendEquationEXT)              \
    F(SetColorWriteEnableEXT) F(SetColorWriteMaskEXT) F(SetComputeOccupancyPriorityNV)             \
    F(SetConservativeRasterizationModeEXT) F(SetCoverageModulationModeNV)                          \
    F(SetCoverageModulationTableEnableNV) F(SetCoverageModulationTableNV)                          \
    F(SetCoverageReductionModeNV) F(SetCoverageToColorEnableNV) F(SetCoverageToColorLocationNV)    \
    F(SetCullMode) F(SetCullModeEXT) F(SetDepthBias) F(SetDepthBias2EXT) F(SetDepthBiasEnable)     \
    F(SetDepthBiasEnableEXT) F(SetDepthBounds) F(SetDepthBoundsTestEnable)                         \
    F(SetDepthBoundsTestEnableEXT) F(SetDepthClampEnableEXT) F(SetDepthClampRangeEXT)              \
    F(SetDepthClipEnableEXT) F(SetDepthClipNegativeOneToOneEXT) F(SetDepthCompareOp)               \
    F(SetDepthCompareOpEXT) F(SetDepthTestEnable) F(SetDepthTestEnableEXT) F(SetDepthWriteEnable)  \
    F(SetDepthWriteEnableEXT) F(SetDescriptorBufferOffsets2EXT) F(SetDescriptorBufferOffsetsEXT)   \
    F(SetDeviceMask) F(SetDeviceMaskKHR) F(SetDiscardRectangleEXT)                                 \
    F(SetDiscardRectangleEnableEXT) F(SetDiscardRectangleModeEXT) F(SetExclusiveScissorEnableNV)   \
    F(SetExclusiveScissorNV) F(SetExtraPrimitiveOverestimationSizeEXT)                             \
    F(SetFragmentShadingRateEnumNV) F(SetFragmentShadingRateKHR) F(SetFrontFace)                   \
    F(SetFrontFaceEXT) F(SetLineRasterizationModeEXT) F(SetLineStipple) F(SetLineStippleEXT)       \
    F(SetLineStippleEnableEXT) F(SetLineStippleKHR) F(SetLineWidth) F(SetLogicOpEXT)               \
    F(SetLogicOpEnableEXT) F(SetPatchControlPointsEXT) F(SetPerformanceMarkerINTEL)                \
    F(SetPerformanceOverrideINTEL) F(SetPerformanceStreamMarkerINTEL) F(SetPolygonModeEXT)         \
    F(SetPrimitiveRestartEnable) F(SetPrimitiveRestartEnableEXT) F(SetPrimitiveRestartIndexEXT)    \
    F(SetPrimitiveTopology) F(SetPrimitiveTopologyEXT) F(SetProvokingVertexModeEXT)                \
    F(SetRasterizationSamplesEXT) F(SetRasterizationStreamEXT) F(SetRasterizerDiscardEnable)       \
    F(SetRasterizerDiscardEnableEXT) F(SetRayTracingPipelineStackSizeKHR)                          \
    F(SetRenderingAttachmentLocations) F(SetRenderingAttachmentLocationsKHR)                       \
    F(SetRenderingInputAttachmentIndices) F(SetRenderingInputAttachmentIndicesKHR)                 \
    F(SetRepresentativeFragmentTestEnableNV) F(SetSampleLocationsEXT)                              \
    F(SetSampleLocationsEnableEXT) F(SetSampleMaskEXT) F(SetScissor) F(SetScissorWithCount)        \
    F(SetScissorWithCountEXT) F(SetShadingRateImageEnableNV) F(SetStencilCompareMask)              \
    F(SetStencilOp) F(SetStencilOpEXT) F(SetStencilReference) F(SetStencilTestEnable)              \
    F(SetStencilTestEnableEXT) F(SetStencilWriteMask) F(SetTessellationDomainOriginEXT)            \
    F(SetVertexInputEXT) F(SetViewport) F(SetViewportShadingRatePaletteNV)                         \
    F(SetViewportSwizzleNV) F(SetViewportWScalingEnableNV) F(SetViewportWScalingNV)                \
    F(SetViewportWithCount) F(SetViewportWithCountEXT)

/* The commands of labels, a class of their own (not "order" or "state"). */
#define VKL_LABELS(F)                                                                              \
    F(DebugMarkerBeginEXT) F(DebugMarkerEndEXT) F(DebugMarkerInsertEXT)                            \
    F(InsertDebugUtilsLabelEXT)
/* clang-format on */
