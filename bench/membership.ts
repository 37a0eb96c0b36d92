import { percentile, rounded, type Bench, type Figure } from './bench.js';
import { Connection, load, request } from './support/load.js';
import { makeMembers } from './support/cohorts.js';
import { makePersons } from './support/persons.js';
import { withService, type BenchedService } from './support/service.js';

const personCount = Number(process.env.BENCH_PERSONS ?? 1_000_000);
const cohortCount = 50;
const checkedCohorts = 20;
const rounds = 3;
const requestsPerRound = 5000;
const connections = 16;
const samples = 2000;
/** A million rows were just written, and the first questions read them from disk. */
const warmUps = 4000;

/** Measures the question which of twenty cohorts a person is in, beside the least that the server can do. */
export const membership: Bench = {
  name: 'membership',
  run: () => withService(measure),
};

async function* measure(service: BenchedService): AsyncGenerator<Figure> {
  await makePersons(service, personCount);
  const ids = await makeMembers(service, cohortCount);
  const cohorts = ids.slice(0, checkedCohorts);
  const check = (n: number) => {
    const body = JSON.stringify({ distinct_ids: [`user-${1 + ((n * 7919) % personCount)}`], cohorts });
    const path = `/api/projects/${service.project_id}/cohorts/membership`;
    return request('POST', path, body, [`Authorization: Bearer ${service.personal_api_key}`]);
  };
  const connection = await Connection.open(service.url);
  const times: number[] = [];
  for (let n = 0; n < samples + warmUps; n += 1) {
    const started = performance.now();
    const { status, body } = await connection.ask(check(n));
    if (n >= warmUps) times.push(performance.now() - started);
    if (status !== 200) throw new Error(body.slice(0, 500));
  }
  connection.close();
  times.sort((a, b) => a - b);
  yield { figure: 'one id × 20 cohorts, median', value: rounded(percentile(times, 0.5)), unit: 'ms' };
  yield { figure: 'one id × 20 cohorts, p99', value: rounded(percentile(times, 0.99)), unit: 'ms', atMost: 5 };

  const alive = request('GET', '/_livez');
  const run = async (of: (n: number) => Buffer) =>
    (
      await load(
        service.url,
        connections,
        Array.from({ length: requestsPerRound }, (_, n) => of(n)),
      )
    ).seconds;
  await run(() => alive);
  await run(check);
  const seconds = { alive: 0, check: 0 };
  for (let round = 0; round < rounds; round += 1) {
    seconds.alive += await run(() => alive);
    seconds.check += await run(check);
  }
  const requests = rounds * requestsPerRound;
  yield { figure: 'memberships', value: rounded(requests / seconds.check, 0), unit: 'requests/s' };
  yield { figure: '/_livez', value: rounded(requests / seconds.alive, 0), unit: 'requests/s' };
  yield { figure: 'memberships ÷ /_livez', value: rounded(seconds.alive / seconds.check), unit: 'ratio', atLeast: 0.4 };
}
