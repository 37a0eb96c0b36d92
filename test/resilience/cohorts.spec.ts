import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CohortDto } from '../../src/cohorts/cohort.dto.js';
import { type ActorKind, actorFields } from '../support/cohorts/subjects.js';
import { removeDir, start, tempDir, terminate } from '../support/process.js';
import { ask, cohortOf, definitionOf, openScene, personsOf, untilFinished, type Scene } from './cohorts.fixture.js';

const kills = Number(process.env.COHORT_KILLS ?? 1);

let scene: Scene;
let dataDir: string;

beforeAll(async () => {
  dataDir = await tempDir();
  scene = await openScene(dataDir);
});
afterAll(async () => {
  await terminate(scene.service);
  await removeDir(dataDir);
});

/** Members as one page shows them; null while nobody answers. */
const half = async (id: number, kind: ActorKind): Promise<string | null> => {
  const answer = await ask(scene, 'GET', `cohorts/${id}/${kind}s?limit=1000`).catch(() => null);
  if (answer?.status !== 200) return null;
  const { count, results } = (await answer.json()) as { count: number; results: Listed[] };
  const halves = results.map(({ properties, group_properties: ofGroup }) => (properties ?? ofGroup)?.half);
  return `${count}/${results.length} of ${[...new Set(halves)].join('+')}`;
};

interface Listed {
  readonly properties?: { readonly half: number };
  readonly group_properties?: { readonly half: number };
}

describe('a service that is killed while it calculates cohorts', () => {
  it(`finishes all of them after it is started again, and shows whole memberships only (${kills} times)`, async () => {
    // The last one has groups.
    const kinds = ['person', 'person', 'group'] as const;
    const made = await Promise.all(
      kinds.map(async (kind, n) => {
        const body = { name: `k${n}`, ...actorFields(kind), filters: definitionOf(0, kind) };
        return (await ask(scene, 'POST', 'cohorts?wait=60', body)).json();
      }),
    );
    const ids = (made as CohortDto[]).map(({ id }) => id);
    const cohorts = ids.map((id, n) => [id, kinds[n] ?? 'person'] as const);
    const seen = new Set<string>();
    const stop = new AbortController();
    const reader = (async () => {
      while (!stop.signal.aborted) {
        for (const [id, kind] of cohorts) {
          const members = await half(id, kind).catch(() => null);
          if (members !== null) seen.add(members);
        }
        await sleep(20);
      }
    })();
    for (let kill = 1; kill <= kills; kill += 1) {
      for (const [id, kind] of cohorts) {
        const body = { filters: definitionOf(kill % 2, kind) };
        expect((await ask(scene, 'PATCH', `cohorts/${id}`, body)).status).toBe(200);
      }
      await sleep(Math.random() * 120);
      scene.service.child.kill('SIGKILL');
      await once(scene.service.child, 'exit').catch(() => undefined);
      scene.service = await start(scene.env);
      expect(await untilFinished(scene, ids, 60_000)).toBeLessThan(60_000);
      for (const [id, kind] of cohorts) {
        expect(await half(id, kind)).toBe(`${personsOf / 2}/${personsOf / 2} of ${kill % 2}`);
        expect(await cohortOf(scene, id)).toMatchObject({ count: personsOf / 2, errors_calculating: 0 });
      }
    }
    stop.abort();
    await reader;
    const whole = [0, 1].map((which) => `${personsOf / 2}/${personsOf / 2} of ${which}`);
    expect([...seen].filter((members) => !whole.includes(members))).toEqual([]);
  }, 600_000);
});
