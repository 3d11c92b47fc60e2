/* What a user may set [docs/VULKAN.md]. Read once, when an instance is created. */
#ifndef VULKAN_SETTINGS_H
#define VULKAN_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

/* Which labels the GPU marks. The others are in the dump too, and unknown. */
enum vkl_level {
    VKL_LEVEL_LOW,    /* outermost labels, beginnings and ends of command buffers */
    VKL_LEVEL_LABELS, /* all labels */
    VKL_LEVEL_EXACT   /* and every command that does work */
};

enum { VKL_EVIDENCE_AUTO = -1 };

struct vkl_settings {
    enum vkl_level level;
    int evidence;     /* the best that may be taken: enum vkl_evidence, or VKL_EVIDENCE_AUTO */
    uint64_t timeout; /* ns without progress until a dump is written; 0: never */
    uint64_t memory;  /* bytes of labels that are kept */
    char dump[1024];  /* path; "%p" stands for the process id */
    bool is_quiet;    /* says nothing on stderr */
};

/* `next` is the pNext chain of VkInstanceCreateInfo, for VK_EXT_layer_settings. */
void vkl_settings_read(struct vkl_settings *settings, const void *next);

const char *vkl_level_text(enum vkl_level level); /* "low"; static */

#endif
