import { rounded, type Bench, type Figure } from './bench.js';
import { threeCriteria } from './cohort.js';
import { askersOf, askOurs, median, names, timeOf } from './questions.js';
import { now, project, withYearsOfEvents } from './support/question-data.js';
import { NamedActions } from '../src/filters/actions/action-lookup.js';
import { calculationLimits, writeMembersSql, writtenChunksSql } from '../src/cohorts/calculation/calculator.js';
import { readDefinition } from '../src/cohorts/definition/read-definition.js';
import { noCohorts } from '../src/filters/compile/compile.sql.js';
import { QueryTooExpensive } from '../src/platform/clickhouse/errors.js';
import { sql, unsigned } from '../src/platform/clickhouse/sql.js';
import { type ClickHouse } from '../src/platform/clickhouse/client.js';

const events = Number(process.env.BENCH_EVENTS ?? 100_000_000);
const days = 1095;
const rounds = 3;

/** Questions about the last month, and about all of three years. */
const ranges = [
  { range: 'the last month', changes: {}, atMost: 1000 },
  {
    range: 'three years by month',
    changes: { date_from: `-${days}d`, interval: 'month', period: 'Month', total_intervals: 37 },
    atMost: null,
  },
];

/** A hundred million events of three years: the time of each question, and what an event needs on the disk. */
export const hundred: Bench = {
  name: 'hundred',
  run: () => withYearsOfEvents(events, days, measure),
};

async function* measure(clickhouse: ClickHouse): AsyncGenerator<Figure> {
  const [stored] = await clickhouse.query<{ bytes: number; parts: number }>(
    sql`SELECT toFloat64(sum(bytes_on_disk)) AS bytes, toFloat64(count()) AS parts FROM system.parts
      WHERE active AND table = 'events' AND database = currentDatabase()`,
    { project: 'system' },
  );
  yield { figure: 'an event in ClickHouse', value: rounded((stored?.bytes ?? NaN) / events, 0), unit: 'bytes' };
  yield { figure: 'parts of the table of events', value: stored?.parts ?? NaN, unit: 'parts' };
  const askers = askersOf(clickhouse);
  for (const { range, changes, atMost } of ranges)
    for (const name of names) {
      const figure = `${name}, ${range}`;
      const value = await medianTime(() => askOurs(askers[name], name, changes));
      if (value !== null) yield { figure, value, unit: 'ms', ...(atMost === null ? {} : { atMost }) };
      else
        yield {
          figure: `${figure}: refused, it needs too much memory or time`,
          value: 1,
          unit: 'refusals',
          atMost: atMost === null ? 1 : 0,
        };
    }
  yield* cohortFigures(clickhouse);
}

/** Null when the question is refused because it is too expensive. */
const medianTime = async (ask: () => Promise<unknown>): Promise<number | null> => {
  const times: number[] = [];
  try {
    for (let round = 0; round <= rounds; round += 1) times.push(await timeOf(ask));
  } catch (error) {
    if (error instanceof QueryTooExpensive) return null;
    throw error;
  }
  return rounded(median(times.slice(1)), 0);
};

/**
 * Measures the reads and writes of a calculation in ClickHouse; the bench `changes` measures the log of changes in PostgreSQL.
 */
async function* cohortFigures(clickhouse: ClickHouse): AsyncGenerator<Figure> {
  const definition = readDefinition(threeCriteria('purchased', 'price', 'shared'), 'filters', new NamedActions());
  const calculation = { project, now, overridden: false, cohorts: noCohorts, groupType: null };
  const times: number[] = [];
  for (let version = 1; version <= rounds; version += 1) {
    const membership = { id: 1, version, groupType: null };
    const calculate = async () => {
      await clickhouse.insertSelected(writeMembersSql(definition, membership, calculation), {
        project,
        ...calculationLimits,
      });
      await clickhouse.query(writtenChunksSql(project.id, membership), { project });
    };
    times.push((await timeOf(calculate)) / 1000);
  }
  const [written] = await clickhouse.query<{ members: number }>(
    sql`SELECT toFloat64(count()) AS members FROM cohort_members WHERE version = ${unsigned(rounds)}`,
    { project: 'system' },
  );
  yield { figure: 'members of the cohort', value: written?.members ?? NaN, unit: 'persons', atLeast: 1 };
  yield { figure: 'the cohort of 3 criteria', value: rounded(median(times)), unit: 's', atMost: 5 };
}
