import { Permits } from '../../platform/work/permits.js';
import { unavailable } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';

/**
 * Exports of whole lists, which take as long as their clients. Each holds a connection and a snapshot of PostgreSQL, or a
 * file on disk; the limit of a project keeps its stalled downloads from blocking the exports of another.
 */
const permits = new Permits(
  { project: 2, all: 4 },
  { refusal: () => unavailable('Too many exports are running: try again later', 10) },
);

export const duringExport = async <T>({ id, signal }: ProjectContext, work: () => Promise<T>): Promise<T> => {
  signal?.throwIfAborted();
  return permits.during({ project: id }, work);
};
