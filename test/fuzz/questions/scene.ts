import { setTimeout as sleep } from 'node:timers/promises';
import { bootstrapFile, launch, removeDir, tempDir, untilReady } from '../../support/process.js';

export interface QuestionScene {
  readonly url: string;
  readonly key: string;
  /** Projects whose questions are long. */
  readonly loud: readonly number[];
  readonly quiet: number;
  /** When the process of the engine ended, as far as the log of the service is here. */
  engineEnds(): readonly number[];
  stop(): Promise<void>;
}

interface Project {
  readonly id: number;
  readonly api_token: string;
}

const post = async <T>(url: string, key: string, body: object): Promise<T> => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
};

const eventsOf = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    event: n % 3 === 0 ? 'paid' : '$pageview',
    distinct_id: `user-${n % 100}`,
    timestamp: new Date(Date.now() - n * 60_000).toISOString(),
    properties: { n, $set: { email: `user-${n % 100}@example.test` } },
  }));

const newProject = async (url: string, key: string, name: string): Promise<number> => {
  const { id, api_token: token } = await post<Project>(`${url}/api/projects`, key, { name, timezone: 'UTC' });
  await post(`${url}/batch`, key, { api_key: token, batch: eventsOf(1000) });
  return id;
};

/** Four projects of their own in a service that runs already. */
export const serviceAt = async (url: string, key: string): Promise<QuestionScene> => {
  const names = ['loud 1', 'loud 2', 'loud 3', 'quiet'];
  const ids: number[] = [];
  for (const name of names) ids.push(await newProject(url, key, `${name} ${Date.now()}`));
  // The first questions wait for the events.
  await sleep(2000);
  const [quiet = 0, ...loud] = [...ids].reverse();
  return { url, key, loud, quiet, engineEnds: () => [], stop: () => Promise.resolve() };
};

const endsIn = (log: string): readonly number[] =>
  log
    .split('\n')
    .filter((line) => line.includes('a statement could not be stopped'))
    .map((line) => Date.parse((JSON.parse(line) as { time: string }).time));

/** The built service in a process of its own. */
export const ownService = async (): Promise<QuestionScene> => {
  const dataDir = await tempDir();
  const running = await launch({ DATA_DIR: dataDir, LOG_LEVEL: 'error' });
  const stop = async () => {
    running.child.kill('SIGTERM');
    await Promise.race([running.exited, sleep(20_000)]);
    running.child.kill('SIGKILL');
    await running.exited;
    await removeDir(dataDir);
  };
  try {
    await untilReady(running);
    const { personal_api_key: key } = await bootstrapFile(dataDir);
    return { ...(await serviceAt(running.url, key)), engineEnds: () => endsIn(running.output()), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
