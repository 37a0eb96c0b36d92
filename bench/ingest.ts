import { type SeedEvent } from '../src/app/demo/seed-events.js';
import { rounded, type Bench, type Figure } from './bench.js';
import { copyIn, copyLine, inCopyChunks } from './support/copy.js';
import { load } from './support/load.js';
import { untilIdle, withService, type BenchedService } from './support/service.js';
import { batches, shuffled, traffic } from './support/traffic.js';

const rounds = 3;
const eventsPerRound = 60_000;
const warmUpEvents = 30_000;
const eventsPerRequest = 500;
const connections = 8;

/** Acknowledged events over HTTP, durable and with their persons, beside COPY of the same rows into the same table. */
export const ingest: Bench = {
  name: 'ingest',
  run: () => withService(measure),
};

async function* measure(service: BenchedService): AsyncGenerator<Figure> {
  await service.database.query('CREATE TABLE copied_events (LIKE events INCLUDING ALL)');
  const warmUp = traffic(warmUpEvents, 0);
  await post(service, warmUp);
  await copy(service, warmUp);

  const seconds = { posted: 0, copied: 0 };
  for (let round = 1; round <= rounds; round += 1) {
    const events = traffic(eventsPerRound, round);
    seconds.posted += await post(service, events);
    seconds.copied += await copy(service, events);
  }
  const events = rounds * eventsPerRound;
  yield { figure: 'acknowledged over /batch/', value: rounded(events / seconds.posted, 0), unit: 'events/s' };
  yield { figure: 'COPY of the same rows', value: rounded(events / seconds.copied, 0), unit: 'rows/s' };
  const ratio = rounded(seconds.copied / seconds.posted);
  yield { figure: 'acknowledged ÷ COPY', value: ratio, unit: 'ratio', atLeast: 0.35 };

  const mixedUp = await post(service, shuffled(traffic(eventsPerRound, rounds + 1)));
  yield { figure: 'acknowledged, events shuffled', value: rounded(eventsPerRound / mixedUp, 0), unit: 'events/s' };
}

const post = async (service: BenchedService, events: readonly SeedEvent[]): Promise<number> => {
  const requests = batches(service.project_token, events, eventsPerRequest);
  const { seconds, answers } = await load(service.url, connections, requests);
  const accepted = answers.reduce((sum, { body }) => sum + (JSON.parse(body) as { accepted: number }).accepted, 0);
  if (accepted !== events.length) throw new Error(`${accepted} of ${events.length} new events were accepted`);
  await untilIdle(service);
  return seconds;
};

const copy = async ({ database, project_id }: BenchedService, events: readonly SeedEvent[]): Promise<number> => {
  const receivedAt = new Date().toISOString();
  const chunks = inCopyChunks(
    events.map(({ uuid, event, distinct_id, timestamp, properties }) =>
      copyLine([String(project_id), uuid, event, distinct_id, timestamp, receivedAt, JSON.stringify(properties)]),
    ),
  );
  const started = performance.now();
  await copyIn(
    database,
    'COPY copied_events (project_id, uuid, event, distinct_id, timestamp, received_at, properties) FROM STDIN',
    chunks,
  );
  return (performance.now() - started) / 1000;
};
