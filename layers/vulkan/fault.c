/*
 * What VK_EXT_device_fault reports of a lost device. A separate thread calls the driver, because
 * the call may never return, and the application waits for the dump.
 */
#include "vulkan_layer.h"

#include <stdio.h>
#include <time.h>

enum { ADDRESSES = 8, VENDOR = 8, LIMIT_S = 2 };
#define BINARY_MAX ((VkDeviceSize)64 << 20)

struct question {
    pthread_mutex_t lock;
    pthread_cond_t answered;
    bool is_answered, is_given_up; /* under the lock */
    struct vkl_fault *fault;
    /* the device's own structure may be gone when a late answer comes */
    VkDevice device;
    PFN_vkGetDeviceFaultInfoEXT get;
    bool has_vendor_binary;
};

/* ---- the answer in words ---- */

static const char *address_text(VkDeviceFaultAddressTypeEXT type)
{
    switch (type) {
    case VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT:
        return "invalid read";
    case VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT:
        return "invalid write";
    case VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_EXT:
        return "invalid execution";
    case VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_EXT:
        return "instruction pointer";
    case VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_INVALID_EXT:
        return "invalid instruction pointer";
    case VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT:
        return "instruction pointer of the fault";
    default:
        return "address";
    }
}

static bool is_access(VkDeviceFaultAddressTypeEXT type)
{
    return type == VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT ||
           type == VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT ||
           type == VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_EXT;
}

static char *next_fact(struct vkl_fault *fault, const char *key, uint32_t number)
{
    if (fault->fact_count == sizeof fault->facts / sizeof *fault->facts)
        return NULL;
    char(*fact)[192] = fault->facts[fault->fact_count++];
    snprintf(fact[0], sizeof fact[0], "%s %u", key, number);
    return fact[1];
}

static void tell_address(struct vkl_fault *fault, uint32_t number,
                         const VkDeviceFaultAddressInfoEXT *info)
{
    char *text = next_fact(fault, "fault address", number);
    /* "The precision is a power of two": the address is known up to that. */
    const uint64_t precision = info->addressPrecision ? info->addressPrecision : 1;
    const uint64_t low = info->reportedAddress & ~(precision - 1);
    if (text)
        snprintf(text, sizeof fault->facts[0][1], "%s at 0x%llx to 0x%llx",
                 address_text(info->addressType), (unsigned long long)low,
                 (unsigned long long)(low + (precision - 1)));
    if (!fault->has_address && is_access(info->addressType)) {
        fault->has_address = true;
        fault->address = info->reportedAddress;
    }
}

static void tell_vendor(struct vkl_fault *fault, uint32_t number,
                        const VkDeviceFaultVendorInfoEXT *info)
{
    char *text = next_fact(fault, "fault vendor", number);
    if (text)
        snprintf(text, sizeof fault->facts[0][1], "%.120s: code 0x%llx, data 0x%llx",
                 info->description, (unsigned long long)info->vendorFaultCode,
                 (unsigned long long)info->vendorFaultData);
}

/* ---- the question ---- */

static bool is_given_up(struct question *question)
{
    pthread_mutex_lock(&question->lock);
    const bool is = question->is_given_up;
    pthread_mutex_unlock(&question->lock);
    return is;
}

static struct vkl_fault *ask(struct question *question)
{
    VkDeviceFaultCountsEXT counts = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT};
    VkDeviceFaultAddressInfoEXT addresses[ADDRESSES] = {0};
    VkDeviceFaultVendorInfoEXT vendor[VENDOR] = {0};
    if (question->get(question->device, &counts, NULL) != VK_SUCCESS || is_given_up(question))
        return NULL;
    struct vkl_fault *fault = calloc(1, sizeof *fault);
    if (!fault)
        return NULL;
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
        free(fault->binary);
        free(fault);
        return NULL;
    }
    fault->binary_size = counts.vendorBinarySize;
    info.description[sizeof info.description - 1] = '\0';
    char *text = next_fact(fault, "fault", 0);
    if (text)
        snprintf(text, sizeof fault->facts[0][1], "%.180s", info.description);
    for (uint32_t i = 0; i < counts.addressInfoCount && i < ADDRESSES; i++)
        tell_address(fault, i, &addresses[i]);
    for (uint32_t i = 0; i < counts.vendorInfoCount && i < VENDOR; i++)
        tell_vendor(fault, i, &vendor[i]);
    return fault;
}

static void question_free(struct question *question)
{
    pthread_cond_destroy(&question->answered);
    pthread_mutex_destroy(&question->lock);
    free(question);
}

static void *asker(void *argument)
{
    struct question *question = argument;
    struct vkl_fault *fault = ask(question);
    pthread_mutex_lock(&question->lock);
    const bool is_late = question->is_given_up;
    question->fault = fault;
    question->is_answered = true;
    pthread_cond_signal(&question->answered);
    pthread_mutex_unlock(&question->lock);
    if (is_late) { /* nobody reads the answer any more */
        vkl_fault_free(fault);
        question_free(question);
    }
    return NULL;
}

struct vkl_fault *vkl_fault_ask(struct vkl_device *device)
{
    pthread_t thread;
    struct timespec until;
    if (!device->has_fault || !device->next.GetDeviceFaultInfoEXT)
        return NULL;
    struct question *question = calloc(1, sizeof *question);
    if (!question)
        return NULL;
    question->device = device->handle;
    question->get = device->next.GetDeviceFaultInfoEXT;
    question->has_vendor_binary = device->has_vendor_binary;
    pthread_mutex_init(&question->lock, NULL);
    pthread_cond_init(&question->answered, NULL);
    if (pthread_create(&thread, NULL, asker, question) != 0) {
        question_free(question);
        return NULL;
    }
    pthread_detach(thread);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += LIMIT_S;
    pthread_mutex_lock(&question->lock);
    int waited = 0;
    while (!question->is_answered && waited == 0)
        waited = pthread_cond_timedwait(&question->answered, &question->lock, &until);
    struct vkl_fault *fault = question->fault;
    const bool is_answered = question->is_answered;
    question->is_given_up = !is_answered;
    pthread_mutex_unlock(&question->lock);
    if (is_answered)
        question_free(question);
    return fault;
}

void vkl_fault_free(struct vkl_fault *fault)
{
    if (fault)
        free(fault->binary);
    free(fault);
}
