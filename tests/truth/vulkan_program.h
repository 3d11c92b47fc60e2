/* Random Vulkan programs: command buffers, labels, render passes, secondaries, submissions, and how
 * far the mock driver's GPU gets. */
#pragma once

#include "tracker_program.h"

enum { BUFFERS = 5, SECONDARIES = 2 /* the last of them */ };

enum vulkan_op_kind {
    VULKAN_STEP = OP_STEP, /* `b`: the front end first */
    VULKAN_BEGIN,          /* buffer `a`; `b`: it may be in flight more than once */
    VULKAN_LABEL,
    VULKAN_END_LABEL,
    VULKAN_POINT,
    VULKAN_WORK, /* in buffer `a`; `b`: it hangs */
    VULKAN_PASS, /* in buffer `a`, of kind `b` */
    VULKAN_END_PASS,
    VULKAN_EXECUTE, /* buffer `a` executes secondary `b` */
    VULKAN_END,
    VULKAN_RESET,
    VULKAN_QUEUE_LABEL, /* on queue `a` */
    VULKAN_QUEUE_END,
    VULKAN_QUEUE_POINT,
    VULKAN_SUBMIT, /* to queue `a` in the way `b`; `r`: which buffers */
    VULKAN_GO_ON,  /* the work that hung is done */
    VULKAN_LOOK    /* the application waits for queue `a` */
};

enum pass_kind { PASS_RENDER, PASS_RENDERING, PASS_SUSPENDED, PASS_RESUMED, PASS_KINDS };

enum vulkan_way { VULKAN_SUBMIT_1, VULKAN_SUBMIT_2, VULKAN_COUNTED, VULKAN_REFUSED, VULKAN_WAYS };
