#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

/* Two datagrams are on their way: which one comes first is not said. */
static struct sockaddr_in address = {.sin_family = AF_INET};

static void *client(void *text) {
    int mine = socket(AF_INET, SOCK_DGRAM, 0);
    assert(sendto(mine, text, 1, 0, (struct sockaddr *)&address, sizeof address) == 1);
    return 0;
}

int main(void) {
    pthread_t one, two;
    socklen_t length = sizeof address;
    char byte;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int server = socket(AF_INET, SOCK_DGRAM, 0);
    assert(bind(server, (struct sockaddr *)&address, sizeof address) == 0);
    assert(getsockname(server, (struct sockaddr *)&address, &length) == 0);
    pthread_create(&one, 0, client, "a");
    pthread_create(&two, 0, client, "b");
    assert(recv(server, &byte, 1, 0) == 1);
    assert(byte == 'a');
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
