import { sql } from '../../platform/clickhouse/sql.js';
import { type FilterScope } from './compile.sql.js';

const columns = {
  event: sql`e.event`,
  timestamp: sql`e.timestamp`,
  distinctId: sql`e.distinct_id`,
  properties: sql`e.properties`,
} as const;

/** The filter scope of a statement that reads events as `e`. */
export const eventScope = ({
  projectId,
  now,
  timezone,
  actor,
  cohorts,
}: Pick<FilterScope, 'projectId' | 'now' | 'timezone' | 'actor' | 'cohorts'>): FilterScope => ({
  projectId,
  now,
  timezone,
  actor,
  event: columns,
  person: null,
  cohorts,
});
