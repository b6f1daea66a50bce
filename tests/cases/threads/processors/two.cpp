// What a program learns about the machine's processors is the same in every run and on every machine.
#include <cassert>
#include <cerrno>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <thread>
#include <unistd.h>

static const unsigned before_main = std::thread::hardware_concurrency();
static int x;

static cpu_set_t only(int processor) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    return set;
}

static void *worker(void *expected) {
    cpu_set_t set;
    assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0);
    assert(CPU_EQUAL(&set, static_cast<cpu_set_t *>(expected)));
    x++;
    return nullptr;
}

int main() {
    assert(before_main == 2 && std::thread::hardware_concurrency() == 2);
    assert(sysconf(_SC_NPROCESSORS_ONLN) == 2 && sysconf(_SC_NPROCESSORS_CONF) == 2);
    assert(get_nprocs() == 2 && get_nprocs_conf() == 2);
    assert(sysconf(_SC_PAGESIZE) == 4096);

    unsigned processor = 7, node = 7;
    assert(sched_getcpu() == 0);
    assert(getcpu(&processor, &node) == 0 && processor == 0 && node == 0);

    cpu_set_t set;
    assert(sched_getaffinity(0, sizeof set, &set) == 0);
    assert(CPU_COUNT(&set) == 2 && CPU_ISSET(0, &set) && CPU_ISSET(1, &set));
    unsigned long raw = 0;
    assert(syscall(SYS_sched_getaffinity, 0, sizeof raw, &raw) == sizeof raw && raw == 3);
    assert(sched_getaffinity(0, 3, &set) == -1 && errno == EINVAL);

    // Also where this machine has no such processor.
    cpu_set_t fifth = only(5), last = only(1023), none;
    CPU_ZERO(&none);
    assert(sched_setaffinity(0, sizeof none, &none) == -1 && errno == EINVAL);
    assert(sched_setaffinity(getpid(), sizeof fifth, &fifth) == 0);
    assert(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_EQUAL(&set, &fifth));

    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setaffinity_np(&attributes, sizeof last, &last);
    pthread_t one, two;
    pthread_create(&one, nullptr, worker, &fifth);
    pthread_join(one, nullptr);
    pthread_create(&two, &attributes, worker, &last);
    pthread_join(two, nullptr);
    assert(x == 2);
    return 0;
}
