import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile, rounded, type Bench, type Figure } from './bench.js';
import { load } from './support/load.js';
import { withService, type BenchedService } from './support/service.js';
import { batches, keepBusy, traffic } from './support/traffic.js';

const samples = 200;
const warmUpEvents = 20_000;
const backgroundEventsPerSecond = 500;
const patienceMs = 30_000;

/** From the acknowledgement of an event to the first answer that knows it, on a quiet service and on a busy one. */
export const freshness: Bench = {
  name: 'freshness',
  run: () => withService(measure),
};

async function* measure(service: BenchedService): AsyncGenerator<Figure> {
  await load(service.url, 8, batches(service.project_token, traffic(warmUpEvents, 0), 500));
  for (let at = 0; at < 20; at += 1) await untilVisible(service);
  yield* figures('quiet', await sampled(service));
  const stop = new AbortController();
  const background = keepBusy(service, backgroundEventsPerSecond, stop.signal);
  try {
    yield* figures(`beside ${backgroundEventsPerSecond} events/s`, await sampled(service));
  } finally {
    stop.abort();
    await background;
  }
}

function* figures(when: string, sorted: readonly number[]): Generator<Figure> {
  yield { figure: `acknowledged to visible, ${when}, median`, value: rounded(percentile(sorted, 0.5), 0), unit: 'ms' };
  const p99 = rounded(percentile(sorted, 0.99), 0);
  yield { figure: `acknowledged to visible, ${when}, p99`, value: p99, unit: 'ms', atMost: 500 };
}

const sampled = async (service: BenchedService): Promise<number[]> => {
  const times: number[] = [];
  for (let at = 0; at < samples; at += 1) {
    times.push(await untilVisible(service));
    // Not in step with the shipper.
    await sleep((at * 37) % 100);
  }
  return times.sort((a, b) => a - b);
};

const untilVisible = async ({ url, project_id, project_token, personal_api_key }: BenchedService): Promise<number> => {
  const distinctId = randomUUID();
  const body = JSON.stringify({ api_key: project_token, event: 'seen', distinct_id: distinctId });
  const sent = await fetch(new URL('/capture/', url), { method: 'POST', body });
  if (sent.status !== 200) throw new Error(`The service answered ${sent.status}: ${await sent.text()}`);
  const acknowledged = performance.now();
  const question = new URL(`/api/projects/${project_id}/events?limit=1&distinct_id=${distinctId}`, url);
  const headers = { Authorization: `Bearer ${personal_api_key}` };
  for (;;) {
    const answer = await fetch(question, { headers });
    if (answer.status !== 200) throw new Error(`The service answered ${answer.status}: ${await answer.text()}`);
    const { count } = (await answer.json()) as { count: number };
    const ms = performance.now() - acknowledged;
    if (count === 1) return ms;
    if (ms > patienceMs) throw new Error(`An acknowledged event is not visible after ${patienceMs} ms`);
  }
};
