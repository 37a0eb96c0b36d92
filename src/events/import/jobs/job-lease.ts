import { Lease } from '../../../platform/postgres/lease.js';
import { type Queryable } from '../../../platform/postgres/postgres.js';
import { type JobRef } from './import-jobs.repository.js';

const ttlMs = 15_000;

/**
 * Held while a job is being received, read from a file, or done in the background. If the worker gets the lease of a job that is
 * being received or read from a file, the process of that job has ended.
 */
export const leaseOf = (postgres: Queryable, { projectId, id }: JobRef): Lease =>
  new Lease(postgres, `import ${projectId} ${id}`, { ttlMs });
