import { rounded, type Bench, type Figure } from './bench.js';
import { load, request } from './support/load.js';
import { untilIdle, withService, type BenchedService } from './support/service.js';
import { singles, traffic } from './support/traffic.js';

const rounds = 3;
const requestsPerRound = 15_000;
const warmUpRequests = 10_000;
const connections = 64;

/** One event a request, acknowledged when durable, beside the least the same server can do: say that it lives. */
export const ingestSingle: Bench = {
  name: 'ingest-single',
  run: () => withService(measure),
};

async function* measure(service: BenchedService): AsyncGenerator<Figure> {
  await alive(service, warmUpRequests);
  await capture(service, warmUpRequests, 0);
  const seconds = { alive: 0, captured: 0 };
  for (let round = 1; round <= rounds; round += 1) {
    seconds.alive += await alive(service, requestsPerRound);
    seconds.captured += await capture(service, requestsPerRound, round);
  }
  const requests = rounds * requestsPerRound;
  yield { figure: 'one event a request', value: rounded(requests / seconds.captured, 0), unit: 'requests/s' };
  yield { figure: '/_livez', value: rounded(requests / seconds.alive, 0), unit: 'requests/s' };
  const ratio = rounded(seconds.alive / seconds.captured);
  yield { figure: 'one event ÷ /_livez', value: ratio, unit: 'ratio', atLeast: 0.4 };
}

const alive = async ({ url }: BenchedService, requests: number): Promise<number> => {
  const ask = request('GET', '/_livez');
  return (
    await load(
      url,
      connections,
      Array.from({ length: requests }, () => ask),
    )
  ).seconds;
};

const capture = async (service: BenchedService, requests: number, part: number): Promise<number> => {
  const { database, url, project_token } = service;
  const count = async () => (await database.query<{ n: number }>('SELECT count(*)::int AS n FROM events')).rows[0]?.n;
  const before = (await count()) ?? 0;
  const { seconds } = await load(url, connections, singles(project_token, traffic(requests, part)));
  const added = ((await count()) ?? 0) - before;
  if (added !== requests) throw new Error(`${requests} events were acknowledged, ${added} are in the log`);
  await untilIdle(service);
  return seconds;
};
