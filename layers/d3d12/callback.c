/* The program's callbacks, which the runtime calls inside a call or on its own thread. The runtime
 * may then hold locks that a dump's writer needs, so calls inside a callback wait for no dump
 * [ANN-LEAVE-01]. */
#include "layer.h"

#include <stdlib.h>

struct layer_callback {
    union {
        void (*any)(void);
        D3D12MessageFunc message;
        PFN_DESTRUCTION_CALLBACK destruction;
    } function;
    void *context;
};

static void STDMETHODCALLTYPE tell_message(D3D12_MESSAGE_CATEGORY category,
                                           D3D12_MESSAGE_SEVERITY severity, D3D12_MESSAGE_ID id,
                                           LPCSTR text, void *context)
{
    const struct layer_callback *callback = context;
    crash_claim_enter();
    callback->function.message(category, severity, id, text, callback->context);
    crash_claim_leave();
}

/* The runtime calls this function once. */
static void STDMETHODCALLTYPE tell_destruction(void *context)
{
    struct layer_callback *callback = context;
    crash_claim_enter();
    callback->function.destruction(callback->context);
    crash_claim_leave();
    free(callback);
}

/* Puts the layer's function in front, if there is memory. An unregistered callback is not freed. */
static void replace(uint64_t *function, uint64_t *context, void (*ours)(void))
{
    struct layer_callback *callback = *function ? malloc(sizeof *callback) : NULL;
    if (!callback)
        return;
    callback->function.any = (void (*)(void))(uintptr_t)*function;
    callback->context = (void *)(uintptr_t)*context;
    *function = (uintptr_t)ours;
    *context = (uintptr_t)(void *)callback;
}

bool layer_callback_is_asked(uint16_t method)
{
    return method == METHOD_ID3D12InfoQueue1_RegisterMessageCallback ||
           method == METHOD_ID3DDestructionNotifier_RegisterDestructionCallback;
}

void layer_callback_pass(uint16_t method, uint64_t *args)
{
    if (method == METHOD_ID3D12InfoQueue1_RegisterMessageCallback)
        replace(&args[0], &args[2], (void (*)(void))tell_message);
    else
        replace(&args[0], &args[1], (void (*)(void))tell_destruction);
}
