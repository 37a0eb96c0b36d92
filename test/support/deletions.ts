import { randomUUID } from 'node:crypto';
import { type Pool } from 'pg';
import { type DeletionRecorder } from '../../src/kernel/deletions/deletion-recorder.js';
import { type ProjectContext } from '../../src/kernel/access/project-context.js';
import { enqueue } from '../../src/kernel/projection/outbox/outbox.js';
import { inTransaction } from '../../src/platform/postgres/transaction.js';

export const contextOf = (id: number): ProjectContext => ({
  id,
  timezone: 'UTC',
  weekStartDay: 0,
  personDisplayNameProperties: [],
  testAccountFilters: [],
  pathCleaningFilters: [],
});

export interface DeletedPerson {
  readonly request: string;
  readonly personId: string;
  readonly uuid: string;
  readonly distinctIds: readonly string[];
}

/** What `DELETE persons/{id}?delete_events=true` does in its transaction: the person goes, and the request is noted. */
export const deletePersonWithEvents = (
  deletions: DeletionRecorder,
  pool: Pool,
  projectId: number,
  distinctId: string,
  now = new Date(),
): Promise<DeletedPerson> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: string; uuid: string }>(
      `SELECT p.id, p.uuid FROM persons p JOIN person_distinct_ids d ON d.project_id = $1 AND d.person_id = p.id
       WHERE p.project_id = $1 AND d.distinct_id = $2 FOR UPDATE OF p`,
      [projectId, distinctId],
    );
    const person = rows[0] ?? { id: '0', uuid: randomUUID() };
    const { rows: ids } = await client.query<{ distinct_id: string }>(
      'DELETE FROM person_distinct_ids WHERE project_id = $1 AND person_id = $2 RETURNING distinct_id',
      [projectId, person.id],
    );
    const distinctIds = rows.length === 0 ? [distinctId] : ids.map((row) => row.distinct_id);
    await client.query('DELETE FROM persons WHERE project_id = $1 AND id = $2', [projectId, person.id]);
    await enqueue(client, projectId, [{ kind: 'persons', refs: [person.id] }], now);
    await enqueue(client, projectId, [{ kind: 'distinct_ids', refs: distinctIds }], now);
    const author = { userId: null, requestId: 'test-request', now };
    const { id } = await deletions.request(client, contextOf(projectId), { ...person, distinctIds }, author);
    return { request: id, personId: person.id, uuid: person.uuid, distinctIds };
  });
