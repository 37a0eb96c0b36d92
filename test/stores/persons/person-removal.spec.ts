import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ClientBase } from 'pg';
import { PersonsOf } from '../../support/persons.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type Author } from '../../../src/kernel/access/author.js';
import { type ProjectContext } from '../../../src/kernel/access/project-context.js';
import { Projection } from '../../../src/kernel/projection/projection.js';
import { Postgres } from '../../../src/platform/postgres/postgres.js';
import { type DeletionRecorder, type PersonWithEvents } from '../../../src/kernel/deletions/deletion-recorder.js';
import { MovedMembers } from '../../../src/kernel/memberships/moved-members.js';
import { PersonRemoval } from '../../../src/persons/writes/person-removal.js';

/** Records requests in a table, as the module that deletes events does, and refuses the person named `refused`. */
class WrittenDown implements Pick<DeletionRecorder, 'request' | 'untilLaterEvents'> {
  async request(client: ClientBase, project: ProjectContext, person: PersonWithEvents, { requestId }: Author) {
    const { rows } = await client.query<{ id: string }>(
      'INSERT INTO recorded_requests (project_id, person, request_id) VALUES ($1, $2, $3) RETURNING id',
      [project.id, JSON.stringify(person), requestId],
    );
    if (person.distinctIds.includes('refused')) throw new Error('refused');
    return { id: rows[0]?.id ?? '', createdAt: new Date() };
  }

  /** Replaced where a test watches the wait. */
  untilLaterEvents = (): Promise<void> => Promise.resolve();
}

let service: TestService;
let people: PersonsOf;
let project: ProjectContext;
let removal: PersonRemoval;
let deletions: WrittenDown;
const author: Author = { userId: null, requestId: 'req-1', now: new Date() };

beforeAll(async () => {
  service = await startTestService();
  const postgres = service.app.get(Postgres);
  await postgres.query(
    'CREATE TABLE recorded_requests (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), project_id integer, person jsonb, request_id text)',
  );
  deletions = new WrittenDown();
  removal = new PersonRemoval(
    postgres,
    service.app.get(Projection),
    deletions as unknown as DeletionRecorder,
    service.app.get(MovedMembers),
  );
});
afterAll(() => service.stop());
beforeEach(async () => {
  const { id } = await service.newProject();
  project = { id } as ProjectContext;
  people = new PersonsOf(service, id);
});

const recorded = async () =>
  (
    await service.app
      .get(Postgres)
      .query<{ id: string; person: PersonWithEvents; request_id: string }>(
        'SELECT id, person, request_id FROM recorded_requests WHERE project_id = $1',
        [project.id],
      )
  ).rows;

describe('a person removed with its events', () => {
  it('leaves a request in the same transaction, which the answer points at', async () => {
    const ada = await people.make(['ada', 'b']);
    const { location } = await removal.remove(project, { uuid: ada.uuid }, { delete_events: true }, author);
    const [request, ...others] = await recorded();
    expect(others).toEqual([]);
    expect(request?.person).toEqual({ id: String(ada.id), uuid: ada.uuid, distinctIds: ['ada', 'b'] });
    expect(request?.request_id).toBe('req-1');
    expect(location).toBe(`/api/projects/${project.id}/deletion_requests/${request?.id}`);
  });

  it('leaves no request unless delete_events is set', async () => {
    const ada = await people.make(['ada']);
    const { location } = await removal.remove(project, { id: String(ada.id) }, { delete_events: false }, author);
    expect([location, await recorded()]).toEqual([null, []]);
  });

  it('waits once for all that are removed together, when they are gone and nothing is locked any longer', async () => {
    const ids = ['ada', 'bob', 'cyd'];
    for (const id of ids) await people.make([id]);
    let waits = 0;
    let open = -1;
    deletions.untilLaterEvents = async () => {
      waits += 1;
      const { rows } = await service.app.get(Postgres).query<{ open: number }>(
        `SELECT (SELECT count(*)::integer FROM persons WHERE project_id = $1)
           + (SELECT count(*)::integer FROM pg_locks WHERE mode = 'RowExclusiveLock' AND relation = 'persons'::regclass) AS open`,
        [project.id],
      );
      open = rows[0]?.open ?? -1;
    };
    await removal.removeByDistinctIds(project, ids, { delete_events: true }, author);
    expect([(await recorded()).length, waits, open]).toEqual([3, 1, 0]);
    await people.make(['dan']);
    await removal.removeByDistinctIds(project, ['dan'], { delete_events: false }, author);
    expect(waits).toBe(1);
    deletions.untilLaterEvents = () => Promise.resolve();
  });

  it('stays when the request cannot be recorded, and so do all that were to go with it', async () => {
    const [ada, bob] = [await people.make(['ada']), await people.make(['bob', 'refused'])];
    const work = removal.removeByDistinctIds(project, ['ada', 'bob'], { delete_events: true }, author);
    await expect(work).rejects.toThrow('refused');
    expect([await people.get(ada.id), await people.get(bob.id)]).toEqual([ada, bob]);
    expect([await recorded(), await people.activity()]).toEqual([[], []]);
  });
});
