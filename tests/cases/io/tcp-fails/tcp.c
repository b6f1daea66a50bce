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

static int listener;
static struct sockaddr_in address = {.sin_family = AF_INET};

static void *client(void *arg) {
    char byte = 'a';
    int mine = socket(AF_INET, SOCK_STREAM, 0);
    assert(connect(mine, (struct sockaddr *)&address, sizeof address) == 0);
    static int x; x++; assert(write(mine, &byte, 1) == 1);
    assert(read(mine, &byte, 1) == 1 && byte == 'b');
    close(mine);
    return arg;
}

int main(void) {
    pthread_t thread;
    socklen_t length = sizeof address;
    char byte;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = socket(AF_INET, SOCK_STREAM, 0);
    assert(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    assert(getsockname(listener, (struct sockaddr *)&address, &length) == 0);
    assert(listen(listener, 5) == 0);
    pthread_create(&thread, NULL, client, NULL);
    int peer = accept(listener, NULL, NULL);
    assert(peer >= 0 && read(peer, &byte, 1) == 1);
    byte++;
    assert(write(peer, &byte, 1) == 1);
    assert(read(peer, &byte, 1) == 0);
    pthread_join(thread, NULL);
    abort();
    return 0;
}
