/* Declares VK_KHR_device_fault (revision 1) for older Vulkan headers. Names, order and values come
 * from https://docs.vulkan.org/refpages/latest/refpages/source/VK_KHR_device_fault.html */
#pragma once

#include <vulkan/vulkan.h>

#ifndef VK_KHR_device_fault
#define VK_KHR_device_fault                                  1
#define VK_KHR_DEVICE_FAULT_EXTENSION_NAME                   "VK_KHR_device_fault"

#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_KHR ((VkStructureType)1000573000)
#define VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR              ((VkStructureType)1000573002)
#define VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR        ((VkStructureType)1000573003)

/* Here the KHR types are aliases of the EXT types. Vulkan's reference has the reverse aliases. */
typedef VkDeviceFaultAddressInfoEXT VkDeviceFaultAddressInfoKHR;
typedef VkDeviceFaultVendorInfoEXT VkDeviceFaultVendorInfoKHR;
typedef VkFlags VkDeviceFaultFlagsKHR;

enum {
    VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR = 0x01,
    VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR = 0x02,
    VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR = 0x04,
    VK_DEVICE_FAULT_FLAG_VENDOR_KHR = 0x08,
    VK_DEVICE_FAULT_FLAG_WATCHDOG_TIMEOUT_KHR = 0x10,
    VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR = 0x20
};

typedef struct VkPhysicalDeviceFaultFeaturesKHR {
    VkStructureType sType;
    void *pNext;
    VkBool32 deviceFault;
    VkBool32 deviceFaultVendorBinary;
    VkBool32 deviceFaultReportMasked;
    VkBool32 deviceFaultDeviceLostOnMasked;
} VkPhysicalDeviceFaultFeaturesKHR;

typedef struct VkDeviceFaultInfoKHR {
    VkStructureType sType;
    void *pNext;
    VkDeviceFaultFlagsKHR flags;
    uint64_t groupId;
    char description[VK_MAX_DESCRIPTION_SIZE];
    VkDeviceFaultAddressInfoKHR faultAddressInfo;
    VkDeviceFaultAddressInfoKHR instructionAddressInfo;
    VkDeviceFaultVendorInfoKHR vendorInfo;
} VkDeviceFaultInfoKHR;

typedef struct VkDeviceFaultDebugInfoKHR {
    VkStructureType sType;
    void *pNext;
    uint32_t vendorBinarySize;
    void *pVendorBinaryData;
} VkDeviceFaultDebugInfoKHR;

typedef VkResult(VKAPI_PTR *PFN_vkGetDeviceFaultReportsKHR)(VkDevice device, uint64_t timeout,
                                                            uint32_t *pFaultCounts,
                                                            VkDeviceFaultInfoKHR *pFaultInfo);
typedef VkResult(VKAPI_PTR *PFN_vkGetDeviceFaultDebugInfoKHR)(
    VkDevice device, VkDeviceFaultDebugInfoKHR *pDebugInfo);
#endif

/* VK_KHR_shader_abort (revision 1)
 * https://docs.vulkan.org/refpages/latest/refpages/source/VK_KHR_shader_abort.html */
#ifndef VK_KHR_shader_abort
#define VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ABORT_FEATURES_KHR  ((VkStructureType)1000233000)
#define VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR ((VkStructureType)1000233001)

typedef struct VkDeviceFaultShaderAbortMessageInfoKHR {
    VkStructureType sType;
    void *pNext;
    uint64_t messageDataSize;
    void *pMessageData;
} VkDeviceFaultShaderAbortMessageInfoKHR;
#endif
