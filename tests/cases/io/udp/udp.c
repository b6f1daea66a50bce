#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <netinet/in.h>
#include <unistd.h>

static int server;
static struct sockaddr_in address = {.sin_family = AF_INET};

static void *client(void *arg) {
    char byte = 'a';
    int mine = socket(AF_INET, SOCK_DGRAM, 0);
    assert(sendto(mine, &byte, 1, 0, (struct sockaddr *)&address, sizeof address) == 1);
    assert(recv(mine, &byte, 1, 0) == 1 && byte == 'b');
    return arg;
}

int main(void) {
    pthread_t thread;
    struct sockaddr_in from;
    socklen_t length = sizeof address;
    char byte;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server = socket(AF_INET, SOCK_DGRAM, 0);
    assert(bind(server, (struct sockaddr *)&address, sizeof address) == 0);
    assert(getsockname(server, (struct sockaddr *)&address, &length) == 0);
    pthread_create(&thread, NULL, client, NULL);
    length = sizeof from;
    assert(recvfrom(server, &byte, 1, 0, (struct sockaddr *)&from, &length) == 1 && byte == 'a');
    byte++;
    assert(sendto(server, &byte, 1, 0, (struct sockaddr *)&from, length) == 1);
    pthread_join(thread, NULL);
    return 0;
}
