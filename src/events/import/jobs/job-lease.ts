import { Lease } from '../../../platform/postgres/lease.js';
import { type Queryable } from '../../../platform/postgres/postgres.js';
import { type JobRef } from './import-jobs.repository.js';

const ttlMs = 15_000;

/** Held while a job is received or worked on. A free lease of a job that is neither shows that its process has ended. */
export const leaseOf = (postgres: Queryable, { projectId, id }: JobRef): Lease =>
  new Lease(postgres, `import ${projectId} ${id}`, { ttlMs });
