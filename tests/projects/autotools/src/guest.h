void *eat(void *seat);
