import { Permits } from './permits.js';
import { unavailable } from '../errors/problem.js';

/**
 * Limits exports of whole lists, which take as long as their clients read. Each holds a connection and a snapshot of PostgreSQL,
 * or a file on disk. With a limit per project, stalled downloads of one project do not block the exports of another.
 */
const permits = new Permits(
  { project: 2, all: 4 },
  { refusal: () => unavailable('Too many exports are running: try again later', 10) },
);

interface Exporting {
  readonly id: number;
  readonly signal?: AbortSignal;
}

export const duringExport = async <T>({ id, signal }: Exporting, work: () => Promise<T>): Promise<T> => {
  signal?.throwIfAborted();
  return permits.during({ project: id }, work);
};
