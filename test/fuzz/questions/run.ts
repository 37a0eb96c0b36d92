import { setTimeout as sleep } from 'node:timers/promises';
import { type Random } from '../random.js';
import { corpus } from './corpus.js';
import { type QuestionScene } from './scene.js';

/** The time of a question, 12 s in which it may wait for the others of its project, and 2 s. */
const limitMs = 44_000;
const maxShown = 20;
/** Of each client, from question to question. */
const pauseMs = 1_000;

/** Questions may be late so long after each end of the engine. */
const restartMs = 5_000;

interface Sent {
  readonly status: number;
  readonly ms: number;
  readonly detail: string;
  /** When the answer was there, on the clock of `Date`. */
  readonly at: number;
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
  return { status: answer?.status ?? 0, ms: performance.now() - begun, detail: detail.slice(0, 200), at: Date.now() };
};

const quietQuestions = (project: number): Readonly<Record<string, readonly [path: string, body?: object]>> => ({
  trend: [`${project}/persons/trends?events=${encodeURIComponent('[{"id":"paid"}]')}&date_from=-7d`],
  sql: [`${project}/query`, { query: 'select event, count() from events group by event' }],
  search: [`${project}/persons?search=user-7`],
});

const percentile = (sorted: readonly number[], share: number): number | null =>
  sorted.length === 0 ? null : Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);

interface Quiet extends Sent {
  readonly name: string;
  /** What the others were asking then. */
  readonly beside: readonly string[];
}

const askQuietly = async (
  scene: QuestionScene,
  until: () => boolean,
  underWay: ReadonlySet<string>,
): Promise<readonly Quiet[]> => {
  const sent: Quiet[] = [];
  while (!until()) {
    for (const [name, [path, body]] of Object.entries(quietQuestions(scene.quiet))) {
      const beside = [...underWay];
      sent.push({ name, beside, ...(await send(scene, path, body)) });
    }
    await sleep(200);
  }
  return sent;
};

const figures = (sent: readonly Quiet[]) =>
  Object.fromEntries(
    [...new Set(sent.map(({ name }) => name))].map((name) => {
      const all = sent.filter((each) => each.name === name);
      const sorted = all
        .filter(({ status }) => status === 200)
        .map(({ ms }) => ms)
        .sort((a, b) => a - b);
      const failures = all.length - sorted.length;
      return [
        name,
        {
          n: all.length,
          failures,
          p50: percentile(sorted, 0.5),
          p90: percentile(sorted, 0.9),
          p99: percentile(sorted, 0.99),
        },
      ];
    }),
  );

export const askCorpus = async (scene: QuestionScene, durationMs: number, random: Random) => {
  const underWay = new Set<string>();
  const alone = Date.now() + Math.min(60_000, durationMs / 2);
  const quietAlone = await askQuietly(scene, () => Date.now() > alone, underWay);
  const end = Date.now() + durationMs;
  const isOver = () => Date.now() > end;
  const statuses: Record<string, number> = {};
  const wrong: { readonly question: string; readonly status: number; readonly ms: number; readonly detail: string }[] =
    [];
  let slowest: { question: string; ms: number } = { question: '', ms: 0 };
  const askLoudly = async (project: number): Promise<void> => {
    while (!isOver()) {
      const question = corpus(random);
      const shown = question.slice(0, 500);
      const noted = `${project}, from ${new Date().toISOString()}: ${shown}`;
      underWay.add(noted);
      const sent = await send(scene, `${project}/query`, { query: question });
      underWay.delete(noted);
      statuses[sent.status] = (statuses[sent.status] ?? 0) + 1;
      if (sent.ms > slowest.ms) slowest = { question: shown, ms: Math.round(sent.ms) };
      const isWrong = ![200, 400, 429, 503].includes(sent.status) || sent.ms > limitMs;
      if (isWrong && wrong.length < maxShown) wrong.push({ ...sent, question: shown, ms: Math.round(sent.ms) });
      // Long questions are tried here, not many: most of these are refused at once. Also a client that gets 503 tries again later.
      await sleep(Math.max(sent.status === 200 || sent.status === 400 ? 0 : pauseMs, pauseMs - sent.ms));
    }
  };
  // Two at a time of each project, as many as it may run.
  const loud = scene.loud.flatMap((project) => [askLoudly(project), askLoudly(project)]);
  const [sent] = await Promise.all([askQuietly(scene, isOver, underWay), ...loud]);
  const ends = scene.engineEnds();
  const p99 = (all: readonly Quiet[]) =>
    percentile(
      all.map(({ ms }) => ms).sort((a, b) => a - b),
      0.99,
    ) ?? 0;
  const lateMs = 2 * p99(quietAlone);
  // One that was late before the end is late for another reason, and so is one that is late long after it.
  const isBesideEnd = ({ at, ms }: Quiet) =>
    ends.some((ended) => ended - lateMs <= at - ms && ended <= at && at <= ended + restartMs);
  const quiet = sent.filter((each) => !isBesideEnd(each));
  const p99Times = Math.round((100 * p99(quiet)) / p99(quietAlone)) / 100;
  const failures = sent.filter(({ status }) => status !== 200).length;
  const late = quiet.filter(({ ms }) => ms > lateMs);
  return {
    seconds: Math.round(durationMs / 1000),
    statuses,
    slowest,
    wrong,
    is_right: wrong.length === 0 && failures === 0 && p99Times <= 2,
    engine_ends: ends.length,
    quiet_alone: figures(quietAlone),
    quiet: figures(quiet),
    quiet_beside_ends: figures(sent.filter(isBesideEnd)),
    late: {
      p99_times: p99Times,
      share: late.length / quiet.length,
      latest: [...late].sort((a, b) => b.ms - a.ms).slice(0, maxShown),
    },
  };
};
