import { setTimeout as sleep } from 'node:timers/promises';
import { type CohortDto } from '../../src/cohorts/cohort.dto.js';
import { bootstrapFile, type BootstrapFile, type Env, start, type RunningProcess } from '../support/process.js';

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
    { type: 'event', event: 'killed', distinct_id: `kill-${n}`, timestamp: new Date().toISOString() },
  ]).flat();
  const answer = await fetch(`${service.url}/api/projects/${scene.file.project_id}/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${scene.file.personal_api_key}`, 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  if (answer.status !== 200) throw new Error(await answer.text());
  return scene;
};

export const definitionOf = (half: number): object => ({
  properties: {
    type: 'AND',
    values: [
      { type: 'person', key: 'half', value: half },
      { type: 'person', key: 'round', value: 'killed' },
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
