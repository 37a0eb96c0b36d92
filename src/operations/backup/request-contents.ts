import { type ClientBase } from 'pg';
import { queueAll } from '../../cohorts/record/calculations.repository.js';
import { requestContents, requireFilling } from '../../kernel/projection/identity/recorded-identity.js';
import { type Postgres } from '../../platform/postgres/postgres.js';

/** Requests that ClickHouse is filled from PostgreSQL, and that each cohort is calculated. */
export const requestAllBy = async (client: ClientBase): Promise<void> => {
  await requireFilling(client);
  await requestContents(client, new Date());
  await queueAll(client, null);
};

export const requestAll = (postgres: Postgres): Promise<void> => postgres.transaction(requestAllBy);
