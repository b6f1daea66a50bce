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
#include <sys/uio.h>
#include <unistd.h>

static int pair[2], ends[2];

static void *receiver(void *arg) {
    char one[3], two[3], room[CMSG_SPACE(sizeof(int))];
    struct iovec parts[2] = {{one, 3}, {two, 3}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2, .msg_control = room, .msg_controllen = sizeof room};
    assert(recvmsg(pair[1], &message, 0) == 6);
    assert(memcmp(one, "abc", 3) == 0 && memcmp(two, "def", 3) == 0);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    int got;
    assert(header && header->cmsg_type == SCM_RIGHTS);
    memcpy(&got, CMSG_DATA(header), sizeof got);
    assert(read(got, one, 3) == 3 && memcmp(one, "ghi", 3) == 0);
    assert(fcntl(got, F_SETFL, O_NONBLOCK) == 0);
    assert(read(got, one, 3) == 0);
    return arg;
}

int main(void) {
    pthread_t thread;
    char room[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec parts[2] = {{"ab", 2}, {"cdef", 4}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2, .msg_control = room, .msg_controllen = sizeof room};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
    pipe(ends);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &ends[0], sizeof(int));
    pthread_create(&thread, NULL, receiver, NULL);
    assert(sendmsg(pair[0], &message, 0) == 6);
    assert(write(ends[1], "ghi", 3) == 3);
    close(ends[1]);
    pthread_join(thread, NULL);
    return 0;
}
