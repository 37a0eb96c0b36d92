import { type Pool } from 'pg';
import { pgSql } from './sql.js';

/** The settings of one session, which come from its role, its database and the server. */
export interface ServerState {
  readonly commit: string;
  readonly fsync: string;
  readonly pages: string;
  readonly standbys: string;
  readonly readOnly: string;
  readonly follows: boolean;
}

const state = pgSql`
  SELECT current_setting('synchronous_commit') AS commit, current_setting('fsync') AS fsync,
    current_setting('full_page_writes') AS pages, current_setting('synchronous_standby_names') AS standbys,
    current_setting('default_transaction_read_only') AS "readOnly", pg_is_in_recovery() AS follows`;

export const serverState = async (pool: Pool, timeoutMs?: number): Promise<ServerState> => {
  const limit = timeoutMs === undefined ? {} : { query_timeout: timeoutMs };
  const client = await pool.connect();
  let end: Error | boolean = true;
  try {
    const { rows } = await client.query<ServerState>({ ...limit, text: state.text });
    const found = rows[0] as ServerState;
    // A read-only connection is closed: its session keeps the setting, even when the role may write again.
    end = found.readOnly === 'on';
    return found;
  } finally {
    client.release(end);
  }
};

/** The settings that let a crash lose what was acknowledged, each with the change that is needed. */
export type UnsafeSettings = ReadonlyMap<'fsync' | 'full_page_writes' | 'synchronous_commit', string>;

export const unsafeSettings = ({
  commit,
  fsync,
  pages,
  standbys,
}: Pick<ServerState, 'commit' | 'fsync' | 'pages' | 'standbys'>): UnsafeSettings =>
  new Map([
    ...(commit === 'off'
      ? [['synchronous_commit', 'synchronous_commit to on for its role, database and server'] as const]
      : []),
    ...(commit === 'local' && standbys !== ''
      ? [['synchronous_commit', 'synchronous_commit to on, so that a failover loses nothing'] as const]
      : []),
    ...(fsync === 'off' ? [['fsync', 'fsync to on'] as const] : []),
    ...(pages === 'off'
      ? [['full_page_writes', 'full_page_writes to on, unless its file system never tears a page'] as const]
      : []),
  ]);

/** Explains why a crash can lose what PostgreSQL has acknowledged; null if it cannot. */
export const durabilityFault = (unsafe: UnsafeSettings): string | null =>
  unsafe.size === 0
    ? null
    : `a crash of PostgreSQL can lose what was acknowledged: set ${[...unsafe.values()].join(', and ')}`;

/** The unsafe settings that a service cannot set for its own sessions. After a crash, such a server may not even start again. */
export const mustNotBeOff = (unsafe: UnsafeSettings): UnsafeSettings =>
  new Map([...unsafe].filter(([name]) => name !== 'synchronous_commit'));

/** Explains why PostgreSQL takes no changes; null if it does. */
export const readOnlyFault = ({ follows, readOnly }: Pick<ServerState, 'follows' | 'readOnly'>): string | null => {
  if (follows) return 'PostgreSQL is read-only: it follows another server, so let DATABASE_URL name the primary';
  if (readOnly !== 'on') return null;
  return 'PostgreSQL is read-only: set default_transaction_read_only to off for its role, database and server';
};
