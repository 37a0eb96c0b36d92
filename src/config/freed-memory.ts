/**
 * The embedded ClickHouse has an allocator of its own, jemalloc, which keeps freed memory for five seconds: after a merge that is more
 * than a hundred megabytes, which neither the heap nor PostgreSQL can use meanwhile. It reads this variable when its library is loaded.
 */
export const returnFreedMemory = (): void => {
  process.env.JE_MALLOC_CONF ??= 'dirty_decay_ms:500,muzzy_decay_ms:0';
};
