#include <iostream>
#include <pthread.h>

/* A line is printed in two parts, under a lock. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *print(void *name)
{
    pthread_mutex_lock(&lock);
    std::cout << "begin ";
    std::cout << static_cast<char *>(name) << '\n';
    pthread_mutex_unlock(&lock);
    return nullptr;
}

int main()
{
    static char one_name[] = "one", two_name[] = "two";
    pthread_t one, two;
    pthread_create(&one, nullptr, print, one_name);
    pthread_create(&two, nullptr, print, two_name);
    pthread_join(one, nullptr);
    pthread_join(two, nullptr);
    return 0;
}
