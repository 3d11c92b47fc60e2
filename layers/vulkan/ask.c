/* Asks the driver on a thread of its own: the driver may never answer, and neither the watchdog nor
 * the application may wait without end. */
#include "vulkan_layer.h"

static void question_free(struct vkl_question *question)
{
    pthread_cond_destroy(&question->answered);
    pthread_mutex_destroy(&question->lock);
    question->let_go(question);
}

bool vkl_question_is_given_up(struct vkl_question *question)
{
    pthread_mutex_lock(&question->lock);
    const bool is = question->is_given_up;
    pthread_mutex_unlock(&question->lock);
    return is;
}

static void *asker(void *argument)
{
    struct vkl_question *question = argument;
    question->ask(question);
    pthread_mutex_lock(&question->lock);
    const bool is_late = question->is_given_up;
    question->is_answered = true;
    pthread_cond_signal(&question->answered);
    pthread_mutex_unlock(&question->lock);
    if (is_late) /* nobody will read the answer */
        question_free(question);
    return NULL;
}

bool vkl_question_start(struct vkl_question *question)
{
    pthread_t thread;
    pthread_mutex_init(&question->lock, NULL);
    pthread_cond_init(&question->answered, NULL);
    question->is_answered = question->is_given_up = false;
    if (pthread_create(&thread, NULL, asker, question) != 0) {
        question_free(question);
        return false;
    }
    pthread_detach(thread);
    return true;
}

bool vkl_question_wait(struct vkl_question *question, time_t seconds)
{
    const struct timespec until = crash_deadline(seconds);
    pthread_mutex_lock(&question->lock);
    int waited = 0;
    while (seconds > 0 && !question->is_answered && waited == 0)
        waited = pthread_cond_timedwait(&question->answered, &question->lock, &until);
    const bool is_answered = question->is_answered;
    pthread_mutex_unlock(&question->lock);
    return is_answered;
}

void vkl_question_leave(struct vkl_question *question)
{
    pthread_mutex_lock(&question->lock);
    const bool is_answered = question->is_answered;
    question->is_given_up = !is_answered;
    pthread_mutex_unlock(&question->lock);
    if (is_answered)
        question_free(question);
}
