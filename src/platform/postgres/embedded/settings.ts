const mebibyte = 1024 ** 2;
const leastLogMiB = 512;
const mostLogMiB = 4096;
/** The part of the disk's free space, when the cluster is made, that the log may take. */
const logShare = 1 / 16;

/**
 * Settings for a small machine, written into postgresql.conf when the cluster is created, so that an operator may change them.
 * Checkpoints are rare: the first change of a page after each writes the whole page into the log, which makes inserts into a
 * large index expensive. In return the log takes more room on the disk, and is replayed after a crash.
 */
export const initialSettings = (freeBytes: number): Readonly<Record<string, string>> => ({
  shared_buffers: '64MB',
  max_connections: '50',
  jit: 'off',
  max_worker_processes: '4',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  autovacuum_max_workers: '2',
  io_workers: '1',
  max_wal_size: `${Math.floor(Math.min(mostLogMiB, Math.max(leastLogMiB, (freeBytes * logShare) / mebibyte)))}MB`,
  checkpoint_timeout: '15min',
});

/** Settings about access, durability and logging. They are passed at each start, so that no file can weaken them. */
export const enforcedSettings = (name: string, port: number): Readonly<Record<string, string>> => ({
  cluster_name: name,
  listen_addresses: '127.0.0.1',
  port: String(port),
  unix_socket_directories: '',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  logging_collector: 'off',
  log_destination: 'stderr',
  log_min_messages: 'warning',
  // Statements and details contain personal data.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_line_prefix: '%m [%p] ',
  log_timezone: 'UTC',
  timezone: 'UTC',
});

export const asArguments = (settings: Readonly<Record<string, string>>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
