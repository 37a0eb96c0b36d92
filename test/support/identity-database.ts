import pg from 'pg';
import { MovedMembers } from '../../src/kernel/memberships/moved-members.js';
import { applyIdentity } from '../../src/kernel/identity/apply-identity.js';
import { type IdentityEvent, type IdentityWarning } from '../../src/kernel/identity/identity-event.js';
import { mayBeRepeated } from '../../src/platform/postgres/transaction.js';
import { freshStores } from './fresh-stores.js';
import { insertProject } from './insert-project.js';

export interface PersonRecord {
  readonly id: string;
  readonly uuid: string;
  readonly properties: Record<string, unknown>;
  readonly is_identified: boolean;
  readonly created_at: Date;
  /** In the order they came. */
  readonly ids: string[];
}

export interface Outbox {
  readonly persons: string[];
  readonly distinct_ids: string[];
}

const insertEvents = `
  INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, received_at, properties)
  SELECT $1, e.uuid, 'some', e.distinct_id, e.timestamp, $3, '{}'
  FROM jsonb_to_recordset($2::jsonb) AS e (uuid uuid, distinct_id text, timestamp timestamptz)`;

export const members = new MovedMembers();

/** A database of its own, with a project, into which events are received as a group commit does. */
export class IdentityDatabase {
  repeated = 0;

  private constructor(
    readonly pool: pg.Pool,
    readonly projectId: number,
    readonly remove: () => Promise<void>,
  ) {}

  static async open(connections = 1): Promise<IdentityDatabase> {
    const stores = await freshStores();
    const pool = new pg.Pool({ connectionString: stores.databaseUrl.href, max: connections, pipeline: true });
    // Dropping the database may find connections that are still being closed.
    pool.on('error', () => undefined);
    const projectId = await insertProject(pool);
    return new IdentityDatabase(pool, projectId, async () => {
      await pool.end();
      await stores.remove();
    });
  }

  /** The same database with another project. */
  async withNewProject(): Promise<IdentityDatabase> {
    return new IdentityDatabase(this.pool, await insertProject(this.pool), this.remove);
  }

  async receive(events: readonly IdentityEvent[], now = new Date()): Promise<IdentityWarning[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.transaction((client) => this.receiveIn(client, events, now));
      } catch (error) {
        if (!mayBeRepeated(error) || attempt === 20) throw error;
        this.repeated += 1;
      }
    }
  }

  async receiveIn(client: pg.ClientBase, events: readonly IdentityEvent[], now = new Date()) {
    const rows = events.map(({ uuid, distinctId, timestamp }) => ({ uuid, distinct_id: distinctId, timestamp }));
    await client.query({ name: 'events', text: insertEvents, values: [this.projectId, JSON.stringify(rows), now] });
    return (await applyIdentity(client, this.projectId, events, now, { members })).warnings;
  }

  async transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }

  /** Also persons without any distinct id. */
  async persons(): Promise<PersonRecord[]> {
    const { rows } = await this.pool.query<PersonRecord>(
      `SELECT p.id, p.uuid, p.properties, p.is_identified, p.created_at,
         array_remove(array_agg(d.distinct_id ORDER BY d.position), NULL) AS ids
       FROM persons p LEFT JOIN person_distinct_ids d ON d.project_id = p.project_id AND d.person_id = p.id
       WHERE p.project_id = $1 GROUP BY p.project_id, p.id ORDER BY p.id`,
      [this.projectId],
    );
    return rows;
  }

  async person(distinctId: string): Promise<PersonRecord> {
    const found = (await this.persons()).find(({ ids }) => ids.includes(distinctId));
    if (!found) throw new Error(`No person has the id ${distinctId}`);
    return found;
  }

  /** What was queued for the projection since the last call. */
  async takeOutbox(): Promise<Outbox> {
    const { rows } = await this.pool.query<{ kind: keyof Outbox; refs: string[] }>(
      'DELETE FROM outbox WHERE project_id = $1 RETURNING kind, refs',
      [this.projectId],
    );
    const refs = (queued: keyof Outbox) => rows.filter(({ kind }) => kind === queued).flatMap((row) => row.refs);
    return { persons: refs('persons').sort(), distinct_ids: refs('distinct_ids').sort() };
  }
}
