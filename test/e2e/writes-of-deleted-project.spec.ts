import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordActivity } from '../../src/kernel/activity/record-activity.js';
import { problemOfPostgresError } from '../../src/platform/errors/store-errors.js';
import { IdempotencyKeys } from '../../src/kernel/idempotency/idempotency-keys.js';
import { enqueue } from '../../src/kernel/projection/outbox/outbox.js';
import { lockProject, upsertGate } from '../../src/kernel/projects/projects.repository.js';
import { Scene } from '../support/projection-scene.js';
import { newWorkers } from '../support/workers.js';

let scene: Scene;
let alive: number;
let deleted: number;

beforeAll(async () => {
  scene = await Scene.open();
  [alive, deleted] = [await scene.newProject(), await scene.newProject()];
  await scene.pool.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [deleted]);
  await scene.write((client) => upsertGate(client, deleted));
});
afterAll(() => scene.close());

/** Each of them is in the transaction of every change of some kind. */
const writes: Readonly<Record<string, (project: number) => Promise<unknown>>> = {
  'a change of events or persons': (project) =>
    scene.write((client) => enqueue(client, project, [{ kind: 'persons', refs: ['1'] }], new Date())),
  'an entry of the activity log': (project) =>
    scene.write((client) => {
      const activity = { scope: 'Cohort', itemId: '1', activity: 'updated', name: null, changes: [] } as const;
      return recordActivity(client, { id: project }, activity, { userId: null, requestId: null, now: new Date() });
    }),
  'a kept answer': async (project) => {
    const request = { projectId: project, userId: 1, route: 'r', key: String(project), hash: Buffer.from('h') };
    const claim = await new IdempotencyKeys(newWorkers(), scene.postgres).claim(request, new Date());
    if (claim.kind === 'ours') await claim.run.failed();
  },
  'a record of a kind whose writers take turns': (project) => scene.write((client) => lockProject(client, project)),
};

const outcome = (write: Promise<unknown>): Promise<unknown> =>
  write.then(
    () => 'written',
    (error: Error & { status?: number }) => error.status ?? problemOfPostgresError(error)?.status ?? error,
  );

describe('a write of a deleted project', () => {
  it.each(Object.keys(writes))('fails as for a project that does not exist: %s', async (kind) => {
    const write = writes[kind] ?? (() => Promise.reject(new Error(kind)));
    const outcomes = [await outcome(write(alive)), await outcome(write(deleted)), await outcome(write(999_999))];
    expect(outcomes).toEqual(['written', 404, 404]);
  });

  it('does not fail where a route is outside projects', async () => {
    expect(await outcome(writes['a kept answer']?.(0) ?? Promise.reject(new Error()))).toBe('written');
  });
});
