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
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "\0unpick-case-unix-socket-order"};

static void *client(void *arg) {
    char byte = 'a';
    struct sockaddr *to = (struct sockaddr *)&address;
    int mine = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(connect(mine, to, sizeof address) == 0);
    assert(write(mine, &byte, 1) == 1);
    assert(read(mine, &byte, 1) == 1 && byte == 'b');
    close(mine);
    return arg;
}

int main(void) {
    pthread_t thread;
    char byte;
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(bind(listener, (struct sockaddr *)&address, sizeof address) == 0);
    pthread_create(&thread, NULL, client, NULL);
    assert(listen(listener, 5) == 0);
    int peer = accept(listener, NULL, NULL);
    assert(peer >= 0 && read(peer, &byte, 1) == 1);
    byte++;
    assert(write(peer, &byte, 1) == 1);
    pthread_join(thread, NULL);
    return 0;
}
