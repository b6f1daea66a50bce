/* Network card statistics: receive and transmit counters have a lock each. */
#include <assert.h>
#include <pthread.h>

struct nic {
    pthread_mutex_t rx_lock;
    int rx_packets;
    pthread_mutex_t tx_lock;
    int tx_packets;
    int tx_queued;
};

static struct nic eth0 = {
    .rx_lock = PTHREAD_MUTEX_INITIALIZER,
    .tx_lock = PTHREAD_MUTEX_INITIALIZER,
    .tx_queued = 3,
};

static void nic_receive(struct nic *n)
{
    pthread_mutex_lock(&n->rx_lock);
    n->rx_packets++;
    pthread_mutex_unlock(&n->rx_lock);
}

static void nic_tx_complete(struct nic *n)
{
    pthread_mutex_lock(&n->tx_lock);
    n->tx_queued--;
    n->tx_packets++;
    pthread_mutex_unlock(&n->tx_lock);
}

static void nic_tx_timeout(struct nic *n)
{
    pthread_mutex_lock(&n->rx_lock);
    n->tx_queued--;
    pthread_mutex_unlock(&n->rx_lock);
}

static void *rx_irq(void *arg)
{
    nic_receive(arg);
    return NULL;
}

static void *tx_irq(void *arg)
{
    nic_tx_complete(arg);
    nic_tx_complete(arg);
    return NULL;
}

static void *watchdog(void *arg)
{
    nic_tx_timeout(arg);
    return NULL;
}

int main(void)
{
    pthread_t rx, tx, dog;

    pthread_create(&rx, NULL, rx_irq, &eth0);
    pthread_create(&tx, NULL, tx_irq, &eth0);
    pthread_create(&dog, NULL, watchdog, &eth0);
    pthread_join(rx, NULL);
    pthread_join(tx, NULL);
    pthread_join(dog, NULL);

    assert(eth0.rx_packets == 1);
    assert(eth0.tx_packets == 2);
    assert(eth0.tx_queued == 0);
    return 0;
}
