void *work(void *unused);
