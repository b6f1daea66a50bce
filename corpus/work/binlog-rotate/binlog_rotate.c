/* Tables and a binary log, each with a lock: dropping a table writes a log
 * entry, rotating the log records the number of open tables. */
#include <assert.h>
#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    int open_tables;
} tables = { PTHREAD_MUTEX_INITIALIZER, 3 };

static struct {
    pthread_mutex_t lock;
    int entries;
    int file_no;
    int header_tables;
} binlog = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void binlog_write(void)
{
    pthread_mutex_lock(&binlog.lock);
    binlog.entries++;
    pthread_mutex_unlock(&binlog.lock);
}

static int count_open_tables(void)
{
    pthread_mutex_lock(&tables.lock);
    int n = tables.open_tables;
    pthread_mutex_unlock(&tables.lock);
    return n;
}

static void drop_table(void)
{
    pthread_mutex_lock(&tables.lock);
    tables.open_tables--;
    binlog_write();
    pthread_mutex_unlock(&tables.lock);
}

static void rotate_log(void)
{
    pthread_mutex_lock(&binlog.lock);
    binlog.file_no++;
    binlog.header_tables = count_open_tables();
    pthread_mutex_unlock(&binlog.lock);
}

static void *sql_thread(void *arg)
{
    (void)arg;
    drop_table();
    return NULL;
}

static void *rotate_thread(void *arg)
{
    (void)arg;
    rotate_log();
    return NULL;
}

int main(void)
{
    pthread_t sql, rot;

    pthread_create(&sql, NULL, sql_thread, NULL);
    pthread_create(&rot, NULL, rotate_thread, NULL);
    pthread_join(sql, NULL);
    pthread_join(rot, NULL);

    assert(tables.open_tables == 2 && binlog.entries == 1);
    assert(binlog.header_tables >= 2);
    return 0;
}
