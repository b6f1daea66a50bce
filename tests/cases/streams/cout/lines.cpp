#include <iostream>
#include <pthread.h>

/* A line is printed in two parts, and another thread's may come between them. */
static void *print(void *name)
{
    std::cout << "begin ";
    std::cout << static_cast<char *>(name) << '\n';
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
