/* The report of VK_KHR_device_fault, or else VK_EXT_device_fault, about a lost device. */
#include "vulkan_layer.h"

#include <stdarg.h>
#include <stdio.h>

enum { ADDRESSES = 8, VENDOR = 8, REPORTS = 8, LIMIT_S = 1 };
/* A report may come after the loss. All waits together are shorter than LIMIT_S. Other threads wait
 * longer than LIMIT_S for the dump. */
enum { WAIT_NS = 100000000 };
#define BINARY_MAX ((VkDeviceSize)64 << 20)

struct question {
    struct vkl_question base;
    struct vkl_fault *fault;
    /* the device's own structure may be gone when a late answer comes */
    VkDevice device;
    PFN_vkGetDeviceFaultInfoEXT get;
    PFN_vkGetDeviceFaultReportsKHR get_report;
    PFN_vkGetDeviceFaultDebugInfoKHR get_binary;
    bool is_khr, is_read, has_vendor_binary, has_abort; /* as in struct vkl_device */
};

/* ---- the answer in words ---- */

static const char *address_text(VkDeviceFaultAddressTypeEXT type)
{
    static const char *const texts[] = {
        [VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT] = "invalid read",
        [VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT] = "invalid write",
        [VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_EXT] = "invalid execution",
        [VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_EXT] = "instruction pointer",
        [VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_INVALID_EXT] =
            "invalid instruction pointer",
        [VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT] =
            "instruction pointer of the fault"};
    const size_t place = (size_t)type;
    return place < sizeof texts / sizeof *texts && texts[place] ? texts[place] : "address";
}

static bool is_access(VkDeviceFaultAddressTypeEXT type)
{
    return type >= VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT &&
           type <= VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_EXT;
}

__attribute__((format(printf, 4, 5))) static void tell(struct vkl_fault *fault, const char *key,
                                                       uint32_t number, const char *format, ...)
{
    va_list values;
    if (fault->fact_count == sizeof fault->facts / sizeof *fault->facts) {
        fault->cut++;
        return;
    }
    char(*fact)[192] = fault->facts[fault->fact_count++];
    snprintf(fact[0], sizeof fact[0], "%s %u", key, number);
    va_start(values, format);
    vsnprintf(fact[1], sizeof fact[1], format, values);
    va_end(values);
}

static void tell_address(struct vkl_fault *fault, const char *key, uint32_t number,
                         const VkDeviceFaultAddressInfoEXT *info)
{
    /* "The precision is a power of two": only the higher bits of the address are known. */
    const uint64_t precision = info->addressPrecision ? info->addressPrecision : 1;
    const uint64_t low = info->reportedAddress & ~(precision - 1);
    tell(fault, key, number, "%s from 0x%llx to 0x%llx", address_text(info->addressType),
         (unsigned long long)low, (unsigned long long)(low + (precision - 1)));
    if (!fault->has_address && is_access(info->addressType)) {
        fault->has_address = true;
        fault->address = info->reportedAddress;
    }
}

static void tell_vendor(struct vkl_fault *fault, uint32_t number,
                        const VkDeviceFaultVendorInfoEXT *info)
{
    tell(fault, "fault vendor", number, "%.120s: code 0x%llx, data 0x%llx", info->description,
         (unsigned long long)info->vendorFaultCode, (unsigned long long)info->vendorFaultData);
}

/* ---- the question ---- */

static struct vkl_fault *ask_ext(struct question *question)
{
    VkDeviceFaultCountsEXT counts = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT};
    VkDeviceFaultAddressInfoEXT addresses[ADDRESSES] = {0};
    VkDeviceFaultVendorInfoEXT vendor[VENDOR] = {0};
    if (question->get(question->device, &counts, NULL) != VK_SUCCESS ||
        vkl_question_is_given_up(&question->base))
        return NULL;
    struct vkl_fault *fault = calloc(1, sizeof *fault);
    if (!fault)
        return NULL;
    fault->cut += counts.addressInfoCount > ADDRESSES ? counts.addressInfoCount - ADDRESSES : 0;
    fault->cut += counts.vendorInfoCount > VENDOR ? counts.vendorInfoCount - VENDOR : 0;
    counts.addressInfoCount =
        counts.addressInfoCount < ADDRESSES ? counts.addressInfoCount : ADDRESSES;
    counts.vendorInfoCount = counts.vendorInfoCount < VENDOR ? counts.vendorInfoCount : VENDOR;
    if (!question->has_vendor_binary || counts.vendorBinarySize > BINARY_MAX)
        counts.vendorBinarySize = 0;
    if (counts.vendorBinarySize > 0)
        fault->binary = calloc(1, (size_t)counts.vendorBinarySize);
    if (!fault->binary)
        counts.vendorBinarySize = 0;
    VkDeviceFaultInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT,
        .pAddressInfos = addresses,
        .pVendorInfos = vendor,
        .pVendorBinaryData = fault->binary,
    };
    const VkResult result = question->get(question->device, &counts, &info);
    if (result != VK_SUCCESS && result != VK_INCOMPLETE) {
        vkl_fault_free(fault);
        return NULL;
    }
    fault->binary_size = counts.vendorBinarySize;
    tell(fault, "fault", 0, "%.180s", info.description);
    for (uint32_t i = 0; i < counts.addressInfoCount && i < ADDRESSES; i++)
        tell_address(fault, "fault address", i, &addresses[i]);
    for (uint32_t i = 0; i < counts.vendorInfoCount && i < VENDOR; i++)
        tell_vendor(fault, i, &vendor[i]);
    return fault;
}

static void tell_report(struct vkl_fault *fault, uint32_t number, const VkDeviceFaultInfoKHR *info)
{
    tell(fault, "fault", number, "%.120s (group %llu%s%s)", info->description,
         (unsigned long long)info->groupId,
         info->flags & VK_DEVICE_FAULT_FLAG_WATCHDOG_TIMEOUT_KHR ? ", GPU timeout" : "",
         info->flags & VK_DEVICE_FAULT_FLAG_OVERFLOW_KHR ? ", earlier reports are lost" : "");
    if (info->flags & VK_DEVICE_FAULT_FLAG_MEMORY_ADDRESS_KHR)
        tell_address(fault, "fault address", number, &info->faultAddressInfo);
    if (info->flags & VK_DEVICE_FAULT_FLAG_INSTRUCTION_ADDRESS_KHR)
        tell_address(fault, "fault instruction", number, &info->instructionAddressInfo);
    if (info->flags & VK_DEVICE_FAULT_FLAG_VENDOR_KHR)
        tell_vendor(fault, number, &info->vendorInfo);
}

/* Reads up to the report of the loss: "No subsequent entries will be returned". */
static void ask_reports(struct question *question, struct vkl_fault *fault)
{
    for (uint32_t i = 0; i < REPORTS && !vkl_question_is_given_up(&question->base); i++) {
        VkDeviceFaultInfoKHR info = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_KHR};
        uint32_t count = 1;
        const VkResult result = question->get_report(question->device, WAIT_NS, &count, &info);
        if ((result != VK_SUCCESS && result != VK_INCOMPLETE) || count == 0)
            return;
        tell_report(fault, i, &info);
        if (info.flags & VK_DEVICE_FAULT_FLAG_DEVICE_LOST_KHR)
            return;
    }
}

/* Reads the driver's binary data, and the message of a shader that aborted; reading takes neither
 * from the application. */
static void ask_debug(struct question *question, struct vkl_fault *fault)
{
    VkDeviceFaultShaderAbortMessageInfoKHR message = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_SHADER_ABORT_MESSAGE_INFO_KHR};
    VkDeviceFaultDebugInfoKHR info = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_DEBUG_INFO_KHR,
                                      .pNext = question->has_abort ? &message : NULL};
    if (!question->get_binary || vkl_question_is_given_up(&question->base) ||
        question->get_binary(question->device, &info) != VK_SUCCESS)
        return;
    const uint32_t size = question->has_vendor_binary && info.vendorBinarySize <= BINARY_MAX
                              ? info.vendorBinarySize
                              : 0;
    void *bytes = size > 0 ? calloc(1, size) : NULL;
    char *text = message.messageDataSize <= BINARY_MAX
                     ? calloc(1, (size_t)message.messageDataSize + 1)
                     : NULL;
    info = (VkDeviceFaultDebugInfoKHR){.sType = info.sType,
                                       .pNext = question->has_abort && text ? &message : NULL,
                                       .vendorBinarySize = bytes ? size : 0,
                                       .pVendorBinaryData = bytes};
    message.pMessageData = text;
    if ((bytes || message.messageDataSize > 0) && !vkl_question_is_given_up(&question->base) &&
        question->get_binary(question->device, &info) >= VK_SUCCESS &&
        info.vendorBinarySize <= size) {
        if (text && *text)
            tell(fault, "shader abort", 0, "%.180s", text);
        fault->binary = bytes;
        fault->binary_size = bytes ? info.vendorBinarySize : 0;
        bytes = NULL;
    }
    free(bytes);
    free(text);
}

static struct vkl_fault *ask_khr(struct question *question)
{
    struct vkl_fault *fault = calloc(1, sizeof *fault);
    if (!fault)
        return NULL;
    if (question->is_read)
        tell(fault, "fault", 0,
             "the application enabled VK_KHR_device_fault, so the layer left the fault reports to "
             "the application");
    else if (question->get_report)
        ask_reports(question, fault);
    if (question->has_abort || question->has_vendor_binary)
        ask_debug(question, fault);
    return fault;
}

static void ask(struct vkl_question *base)
{
    struct question *question = (struct question *)base;
    question->fault = question->is_khr ? ask_khr(question) : ask_ext(question);
}

static void let_go(struct vkl_question *base)
{
    vkl_fault_free(((struct question *)base)->fault);
    free(base);
}

struct vkl_fault *vkl_fault_ask(struct vkl_device *device)
{
    if (!device->has_fault || (!device->is_fault_khr && !device->next.GetDeviceFaultInfoEXT))
        return NULL;
    struct question *question = calloc(1, sizeof *question);
    if (!question)
        return NULL;
    question->base = (struct vkl_question){.ask = ask, .let_go = let_go};
    question->device = device->handle;
    question->get = device->next.GetDeviceFaultInfoEXT;
    question->get_report = device->next.GetDeviceFaultReportsKHR;
    question->get_binary = device->next.GetDeviceFaultDebugInfoKHR;
    question->is_khr = device->is_fault_khr;
    question->is_read = device->is_fault_read;
    question->has_vendor_binary = device->has_vendor_binary;
    question->has_abort = device->has_abort;
    struct vkl_fault *fault = NULL;
    if (!vkl_question_start(&question->base))
        return NULL;
    if (vkl_question_wait(&question->base, LIMIT_S)) {
        fault = question->fault;
        question->fault = NULL;
    }
    vkl_question_leave(&question->base);
    return fault;
}

void vkl_fault_free(struct vkl_fault *fault)
{
    if (fault)
        free(fault->binary);
    free(fault);
}
