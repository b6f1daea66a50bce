/* External sort: each sorter thread finishes one part of the file, the
 * merger waits for all parts and adds up their sizes. */
#include <assert.h>
#include <pthread.h>

#define NPARTS 3

struct merge {
    pthread_mutex_t lock;
    pthread_cond_t part_done;
    int done;
    int part_size[NPARTS];
    int merged_size;
};

static struct merge merge = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .part_done = PTHREAD_COND_INITIALIZER,
};

static void *sorter(void *arg)
{
    int part = *(int *)arg;

    pthread_mutex_lock(&merge.lock);
    merge.part_size[part] = 10;
    merge.done++;
    pthread_cond_signal(&merge.part_done);
    pthread_mutex_unlock(&merge.lock);
    return NULL;
}

static void *merger(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&merge.lock);
    while (merge.done < NPARTS)
        pthread_cond_wait(&merge.part_done, &merge.lock);
    for (int i = 0; i < NPARTS; i++)
        merge.merged_size += merge.part_size[i];
    pthread_mutex_unlock(&merge.lock);
    return NULL;
}

int main(void)
{
    pthread_t sorters[NPARTS], merge_thread;
    int parts[NPARTS];

    for (int i = 0; i < NPARTS; i++) {
        parts[i] = i;
        pthread_create(&sorters[i], NULL, sorter, &parts[i]);
    }
    pthread_create(&merge_thread, NULL, merger, NULL);

    for (int i = 0; i < NPARTS; i++)
        pthread_join(sorters[i], NULL);
    pthread_join(merge_thread, NULL);

    assert(merge.merged_size == 10 * NPARTS);
    return 0;
}
