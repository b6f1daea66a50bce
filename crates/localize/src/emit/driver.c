/* Runs the thread until it stops for another one, has to wait or ends. */
static void unpick_run(int thread)
{
    int what;
    if (!unpick_threads[thread].begun || unpick_threads[thread].ended)
        return;
    switch (thread) {
UNPICK_CASES
    default:
        return;
    }
    if (what == UNPICK_ENDS)
        unpick_moves++;
}

/* Nobody can go on. */
static void unpick_deadlock(void)
{
    for (int i = 0; i < UNPICK_THREADS; i++) {
        struct unpick_thread *thread = &unpick_threads[i];
        if (!thread->begun || thread->ended)
            continue;
#ifndef DIAGNOSE
        unpick_print(2, "%s:%d: deadlock: ", thread->file, thread->line);
        for (int j = i; j < UNPICK_THREADS; j++) {
            struct unpick_thread *other = &unpick_threads[j];
            if (!other->begun || other->ended)
                continue;
            unpick_print(2, "%sT%d waits for %s", j > i ? "; " : "", j, other->what);
            if (other->name)
                unpick_print(2, " %s", other->name);
            if (other->holder >= 0)
                unpick_print(2, other->name ? " (held by T%d)" : " T%d", other->holder);
        }
        unpick_print(2, "\n");
        unpick_abort();
#else
        unpick_fail(thread->file, thread->line, "deadlock", "");
#endif
    }
}

int main(void)
{
#ifdef DIAGNOSE
    unpick_diag = __VERIFIER_nondet_int();
    unpick_value = (unsigned long)__VERIFIER_nondet_long();
    __VERIFIER_assume(unpick_diag > 0 && unpick_diag <= UNPICK_PLACES);
#ifdef ASSUME
    __VERIFIER_assume(ASSUME);
#endif
UNPICK_INITIAL_VALUES
#endif
    unpick_threads[0].begun = 1;
    for (unpick_step = 0; unpick_step < UNPICK_STEPS; unpick_step++)
        unpick_run(unpick_trail[unpick_step].thread);
    /* The recorded interleaving is over: the first who can goes on. */
    for (int thread = 0; thread < UNPICK_THREADS; thread++) {
        unsigned before = unpick_moves;
        unpick_run(thread);
        if (unpick_moves != before)
            thread = -1;
    }
    unpick_deadlock();
    return 0;
}
