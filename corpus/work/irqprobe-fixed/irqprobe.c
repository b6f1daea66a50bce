/* Device driver: probing a network card registers its interrupt handler with
   the interrupt controller, which dispatches on another thread. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define LINES 4
#define NIC_LINE 2

typedef void (*irq_handler)(void *dev);

struct irq_slot {
    irq_handler handler;
    void *dev;
};

static struct {
    pthread_mutex_t lock;
    struct irq_slot slots[LINES];
} intc = { PTHREAD_MUTEX_INITIALIZER, { { NULL, NULL } } };

struct nic;

struct nic_ops {
    void (*ack)(struct nic *nic);
};

struct nic {
    const struct nic_ops *ops;
    int acked;
};

static void nic_ack(struct nic *nic)
{
    nic->acked++;
}

static const struct nic_ops nic_default_ops = { nic_ack };

static void nic_interrupt(void *dev)
{
    struct nic *nic = dev;
    nic->ops->ack(nic);
}

static void request_irq(int line, irq_handler handler, void *dev)
{
    pthread_mutex_lock(&intc.lock);
    intc.slots[line].handler = handler;
    intc.slots[line].dev = dev;
    pthread_mutex_unlock(&intc.lock);
}

static void dispatch_irq(int line)
{
    pthread_mutex_lock(&intc.lock);
    struct irq_slot slot = intc.slots[line];
    pthread_mutex_unlock(&intc.lock);
    if (slot.handler)
        slot.handler(slot.dev);
}

static void *nic_probe(void *arg)
{
    struct nic *nic = arg;

    nic->ops = &nic_default_ops;
    request_irq(NIC_LINE, nic_interrupt, nic);
    return NULL;
}

static void *irq_source(void *arg)
{
    (void)arg;
    for (int i = 0; i < 2; i++)
        dispatch_irq(NIC_LINE);
    return NULL;
}

int main(void)
{
    struct nic *nic = calloc(1, sizeof *nic);
    pthread_t probe, irq;

    pthread_create(&irq, NULL, irq_source, NULL);
    pthread_create(&probe, NULL, nic_probe, nic);
    pthread_join(probe, NULL);
    pthread_join(irq, NULL);
    assert(nic->acked <= 2);
    free(nic);
    return 0;
}
