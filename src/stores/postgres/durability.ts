import { type Queryable } from './postgres.js';
import { pgSql } from './sql.js';

export interface DurabilitySettings {
  readonly commit: string;
  readonly fsync: string;
  readonly pages: string;
  readonly standbys: string;
}

/** As they are for the role and the database of the service, which PgBouncer and `ALTER ROLE` may change at any time. */
const settingsSql = pgSql`
  SELECT current_setting('synchronous_commit') AS commit, current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS pages, current_setting('synchronous_standby_names') AS standbys`;

/** Says why a crash can lose what PostgreSQL has acknowledged; null when it cannot. */
export const durabilityFault = async (postgres: Queryable, timeoutMs?: number): Promise<string | null> => {
  const limit = timeoutMs === undefined ? {} : { query_timeout: timeoutMs };
  const { rows } = await postgres.query<DurabilitySettings>({ ...limit, text: settingsSql.text });
  return rows[0] ? durabilityFaultIn(rows[0]) : null;
};

export const durabilityFaultIn = ({ commit, fsync, pages, standbys }: DurabilitySettings): string | null => {
  const changes = [
    ...(commit === 'off' ? ['synchronous_commit to on for its role, database and server'] : []),
    ...(commit === 'local' && standbys !== '' ? ['synchronous_commit to on, so that a failover loses nothing'] : []),
    ...(fsync === 'off' ? ['fsync to on'] : []),
    ...(pages === 'off' ? ['full_page_writes to on, unless its file system never tears a page'] : []),
  ];
  if (changes.length === 0) return null;
  return `a crash of PostgreSQL can lose what was acknowledged: set ${changes.join(', and ')}`;
};
