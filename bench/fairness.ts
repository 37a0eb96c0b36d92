import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, rounded, type Bench, type Figure } from './bench.js';
import { untilIdle, withService, type BenchedService } from './support/service.js';
import { batches, traffic } from './support/traffic.js';
import { ask, startHeavyLoad, trendsPath, type Caller, type Tenant } from './support/heavy-load.js';
import { load as send } from './support/load.js';

/** Fewer for a first look. */
const events = Number(process.env.BENCH_EVENTS ?? 400_000);
const eventsOfOther = 20_000;
const batchSize = 1_000;
const quietRounds = 300;
const loadedMs = 60_000;
const warmUpMs = 15_000;

/** Measures one project's small question while another project asks, exports, uploads and captures as much as it can. */
export const fairness: Bench = { name: 'fairness', run: () => withService(measure) };

async function* measure(service: BenchedService): AsyncGenerator<Figure> {
  const heavy: Tenant = { id: service.project_id, token: service.project_token };
  const light = await newProject(service);
  await fill(service, heavy, events);
  await fill(service, light, eventsOfOther);
  await untilIdle(service);

  for (let round = 0; round < 30; round += 1) await askSmall(service, light);
  const quiet: number[] = [];
  let disturbed = 0;
  for (let round = 0; quiet.length < quietRounds && round < 5 * quietRounds; round += 1) {
    const { status, ms, body, isDisturbed } = await undisturbed(() => askSmall(service, light));
    if (status !== 200) throw new Error(`The quiet service answered ${status}: ${body}`);
    if (isDisturbed) disturbed += 1;
    else quiet.push(ms);
  }

  const load = startHeavyLoad({ url: service.url.href, key: service.personal_api_key, ...heavy });
  await sleep(warmUpMs);
  const loaded: number[] = [];
  const allLoaded: number[] = [];
  let failures = 0;
  for (const started = performance.now(); performance.now() - started < loadedMs;) {
    const { status, ms, body, isDisturbed } = await undisturbed(() => askSmall(service, light));
    if (isDisturbed) disturbed += 1;
    else if (status === 200) loaded.push(ms);
    if (status === 200) {
      allLoaded.push(ms);
      continue;
    }
    failures += 1;
    if (failures <= 3) console.error(`${status} after ${Math.round(ms)} ms: ${body}`);
  }
  const counted = await load.stop();

  if (quiet.length === 0 || loaded.length === 0) throw new Error('No question was undisturbed: nothing was measured');
  const sorted = { quiet: [...quiet].sort((a, b) => a - b), loaded: [...loaded].sort((a, b) => a - b) };
  const p = (times: readonly number[], share: number) => rounded(percentile(times, share), 1);
  yield { figure: 'quiet p50', value: p(sorted.quiet, 0.5), unit: 'ms' };
  yield { figure: 'quiet p99', value: p(sorted.quiet, 0.99), unit: 'ms' };
  yield { figure: 'beside the other p50', value: p(sorted.loaded, 0.5), unit: 'ms' };
  yield { figure: 'beside the other p99', value: p(sorted.loaded, 0.99), unit: 'ms' };
  allLoaded.sort((a, b) => a - b);
  yield { figure: 'beside the other p99, disturbed ones too', value: p(allLoaded, 0.99), unit: 'ms' };
  const ratio = rounded(percentile(sorted.loaded, 0.99) / percentile(sorted.quiet, 0.99));
  yield { figure: 'p99 beside the other ÷ quiet', value: ratio, unit: 'ratio', atMost: 2 };
  yield { figure: 'questions answered beside the other', value: loaded.length, unit: 'questions' };
  yield { figure: 'questions left out because the host took processors away', value: disturbed, unit: 'questions' };
  yield { figure: 'questions that failed', value: failures, unit: 'questions', atMost: 0 };
  for (const [status, value] of Object.entries(counted))
    yield { figure: `answers ${status} to the other`, value, unit: 'requests' };
}

/** A virtual machine's processors may be taken away for seconds: such a time says nothing about the service. */
const undisturbed = async <T extends object>(work: () => Promise<T>): Promise<T & { isDisturbed: boolean }> => {
  const before = stolenTicks();
  const done = await work();
  return { ...done, isDisturbed: stolenTicks() > before };
};

const stolenTicks = (): number => {
  try {
    return Number(/^cpu +(?:\d+ ){7}(\d+)/.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
};

const caller = ({ url, personal_api_key: key }: BenchedService): Caller => ({ url: url.href, key });

const newProject = async (service: BenchedService): Promise<Tenant> => {
  const answer = await ask(caller(service), '/api/projects', { json: { name: 'Other' } });
  if (answer.status !== 201) throw new Error(`No second project: ${answer.status} ${await answer.text()}`);
  const { id, api_token: token } = (await answer.json()) as { id: number; api_token: string };
  return { id, token };
};

const fill = async (service: BenchedService, { token }: Tenant, count: number): Promise<void> => {
  const step = 50_000;
  for (let part = 0; part * step < count; part += 1)
    await send(service.url, 4, batches(token, traffic(Math.min(step, count), part), batchSize));
};

const askSmall = async (
  service: BenchedService,
  { id }: Tenant,
): Promise<{ status: number; ms: number; body: string }> => {
  const started = performance.now();
  const answer = await ask(caller(service), trendsPath(id, { events: [{ id: '$pageview' }], date_from: '-30d' }));
  const body = await answer.text();
  return { status: answer.status, ms: performance.now() - started, body };
};
