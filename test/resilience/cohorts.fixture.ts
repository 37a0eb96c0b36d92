import { setTimeout as sleep } from 'node:timers/promises';
import { type CohortDto } from '../../src/cohorts/cohort.dto.js';
import { type ActorKind } from '../support/cohorts/subjects.js';
import { describes } from '../support/groups.js';
import { bootstrapFile, type BootstrapFile, type Env, start, type RunningProcess } from '../support/process.js';

/** There are as many groups, one for each person. */
export const personsOf = 300;

export interface Scene {
  readonly env: Env;
  readonly file: BootstrapFile;
  service: RunningProcess;
}

export const ask = async (scene: Scene, method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${scene.service.url}/api/projects/${scene.file.project_id}/${path}`, {
    method,
    headers: { authorization: `Bearer ${scene.file.personal_api_key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

export const openScene = async (dataDir: string): Promise<Scene> => {
  const env: Env = { DATA_DIR: dataDir, LOG_LEVEL: 'error' };
  const service = await start(env);
  const scene = { env, service, file: await bootstrapFile(dataDir) };
  const lines = Array.from({ length: personsOf }, (_, n) => [
    { type: 'person', distinct_ids: [`kill-${n}`], properties: { round: 'killed', half: n % 2 } },
    ...[describes('team', `team-${n}`, { round: 'killed', half: n % 2 }), uses(n)].map((event) => ({
      ...{ type: 'event', timestamp: new Date().toISOString() },
      ...event,
    })),
  ]).flat();
  const answer = await fetch(`${service.url}/api/projects/${scene.file.project_id}/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.file.personal_api_key}`, 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  if (answer.status !== 200) throw new Error(await answer.text());
  return scene;
};

const uses = (n: number): object => ({
  event: 'killed',
  distinct_id: `kill-${n}`,
  properties: { $groups: { team: `team-${n}` } },
});

const filterOf = (kind: ActorKind) => (kind === 'person' ? { type: 'person' } : { type: 'group', group_type_index: 0 });

export const definitionOf = (half: number, kind: ActorKind = 'person'): object => ({
  properties: {
    type: 'AND',
    values: [
      { ...filterOf(kind), key: 'half', value: half },
      { ...filterOf(kind), key: 'round', value: 'killed' },
      {
        type: 'behavioral',
        key: 'killed',
        event_type: 'events',
        value: 'performed_event',
        time_value: 7,
        time_interval: 'day',
      },
    ],
  },
});

export const cohortOf = async (scene: Scene, id: number): Promise<CohortDto> =>
  (await (await ask(scene, 'GET', `cohorts/${id}`)).json()) as CohortDto;

/** Milliseconds until none of them waits for its calculation. */
export const untilFinished = async (scene: Scene, ids: readonly number[], withinMs: number): Promise<number> => {
  const started = Date.now();
  for (;;) {
    const cohorts = await Promise.all(ids.map((id) => cohortOf(scene, id)));
    if (cohorts.every((cohort) => !cohort.is_calculating)) return Date.now() - started;
    if (Date.now() - started > withinMs) throw new Error(`still waiting: ${JSON.stringify(cohorts)}`);
    await sleep(50);
  }
};
