import { type ClientBase } from 'pg';
import { queueAll } from '../cohorts/calculation-queue.js';
import { enqueueMembersAndRedirects } from '../projection/outbox/enqueue-members.js';
import { requestRebuild } from '../projection/rebuild/rebuild-log.js';
import { type Postgres } from '../stores/postgres/postgres.js';

/** Requests all that ClickHouse has: the tables of a rebuild, members of cohorts, redirects, and a calculation of each cohort. */
export const requestContentsBy = async (client: ClientBase): Promise<void> => {
  const now = new Date();
  await enqueueMembersAndRedirects(client, now);
  await queueAll(client, null);
  await requestRebuild(client, now);
};

export const requestContents = (postgres: Postgres): Promise<void> => postgres.transaction(requestContentsBy);
