/* One buffer is appended to another, each operation under its buffer's lock: the length that was asked for
 * may have changed when the characters are copied. */
#include <assert.h>
#include <pthread.h>

#define SIZE 16

struct buffer {
    pthread_mutex_t lock;
    int length;
    char text[SIZE];
};

static struct buffer source = {PTHREAD_MUTEX_INITIALIZER, 5, "hello"}, sink = {PTHREAD_MUTEX_INITIALIZER, 0, ""};

static int length_of(struct buffer *buffer) {
    pthread_mutex_lock(&buffer->lock);
    int length = buffer->length;
    pthread_mutex_unlock(&buffer->lock);
    return length;
}

static void copy_out(struct buffer *buffer, int length, char *to) {
    pthread_mutex_lock(&buffer->lock);
    assert(length <= buffer->length);
    for (int i = 0; i < length; i++)
        to[i] = buffer->text[i];
    pthread_mutex_unlock(&buffer->lock);
}

static void *append(void *arg) {
    (void)arg;
    pthread_mutex_lock(&sink.lock);
    int length = length_of(&source);
    copy_out(&source, length, sink.text + sink.length);
    sink.length += length;
    pthread_mutex_unlock(&sink.lock);
    return NULL;
}

static void *erase(void *arg) {
    (void)arg;
    pthread_mutex_lock(&source.lock);
    source.length = 0;
    pthread_mutex_unlock(&source.lock);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, append, NULL);
    pthread_create(&other, NULL, erase, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
