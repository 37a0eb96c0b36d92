import { setTimeout as sleep } from 'node:timers/promises';
import { type Random } from '../random.js';
import { corpus } from './corpus.js';
import { type QuestionScene } from './scene.js';

/** The time of a question, 12 s in which it may wait for the others of its project, and 2 s. */
const limitMs = 44_000;
const maxShown = 20;

interface Sent {
  readonly status: number;
  readonly ms: number;
  readonly detail: string;
}

/** A POST if there is a body. */
const send = async ({ url, key }: QuestionScene, path: string, body?: object): Promise<Sent> => {
  const begun = performance.now();
  const answer = await fetch(`${url}/api/projects/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(2 * limitMs),
  }).catch(() => null);
  const detail = (await answer?.text().catch(() => '')) ?? '';
  return { status: answer?.status ?? 0, ms: performance.now() - begun, detail: detail.slice(0, 200) };
};

const quietQuestions = (project: number): Readonly<Record<string, readonly [path: string, body?: object]>> => ({
  trend: [`${project}/persons/trends?events=${encodeURIComponent('[{"id":"paid"}]')}&date_from=-7d`],
  sql: [`${project}/query`, { query: 'select event, count() from events group by event' }],
  search: [`${project}/persons?search=user-7`],
});

const percentile = (sorted: readonly number[], share: number): number | null =>
  sorted.length === 0 ? null : Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);

class Times {
  private readonly ms: number[] = [];
  private failures = 0;
  private readonly statuses: Record<string, number> = {};

  add({ status, ms }: Sent): void {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    if (status === 200 || status === 201) this.ms.push(ms);
    else this.failures += 1;
  }

  figures() {
    const sorted = [...this.ms].sort((a, b) => a - b);
    return {
      n: sorted.length,
      failures: this.failures,
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
      statuses: this.statuses,
    };
  }
}

const askQuietly = async (scene: QuestionScene, until: () => boolean): Promise<Record<string, unknown>> => {
  const times = new Map(Object.keys(quietQuestions(scene.quiet)).map((name) => [name, new Times()]));
  while (!until()) {
    for (const [name, [path, body]] of Object.entries(quietQuestions(scene.quiet)))
      times.get(name)?.add(await send(scene, path, body));
    await sleep(200);
  }
  return Object.fromEntries([...times].map(([name, each]) => [name, each.figures()]));
};

export const askCorpus = async (scene: QuestionScene, durationMs: number, random: Random) => {
  const alone = Date.now() + Math.min(10_000, durationMs / 4);
  const quietAlone = await askQuietly(scene, () => Date.now() > alone);
  const end = Date.now() + durationMs;
  const isOver = () => Date.now() > end;
  const statuses: Record<string, number> = {};
  const wrong: { readonly question: string; readonly status: number; readonly ms: number; readonly detail: string }[] =
    [];
  let slowest: { question: string; ms: number } = { question: '', ms: 0 };
  const askLoudly = async (project: number): Promise<void> => {
    while (!isOver()) {
      const question = corpus(random);
      const sent = await send(scene, `${project}/query`, { query: question });
      statuses[sent.status] = (statuses[sent.status] ?? 0) + 1;
      const shown = question.slice(0, 500);
      if (sent.ms > slowest.ms) slowest = { question: shown, ms: Math.round(sent.ms) };
      const isWrong = ![200, 400, 503].includes(sent.status) || sent.ms > limitMs;
      if (isWrong && wrong.length < maxShown) wrong.push({ ...sent, question: shown, ms: Math.round(sent.ms) });
      // A project that is refused because others wait tries again as a client would.
      if (sent.status === 503) await sleep(1000);
    }
  };
  // Two at a time of each project, as many as it may run.
  const loud = scene.loud.flatMap((project) => [askLoudly(project), askLoudly(project)]);
  const [quiet] = await Promise.all([askQuietly(scene, isOver), ...loud]);
  return { seconds: Math.round(durationMs / 1000), statuses, slowest, wrong, quiet_alone: quietAlone, quiet };
};
