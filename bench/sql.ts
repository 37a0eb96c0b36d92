import { noCohorts } from '../src/filters/compile/compile.sql.js';
import { check } from '../src/sql/check/check.js';
import { compileQuestion, limitsOf } from '../src/sql/compile/query.sql.js';
import { SqlStatement } from '../src/sql/statement.js';
import { QueryParser } from '../src/sql/parse/parser.js';
import { type ClickHouse } from '../src/platform/clickhouse/client.js';
import { rounded, type Bench, type Figure } from './bench.js';
import { askersOf, askOurs, median, timeOf } from './questions.js';
import { now, project, withQuestionData } from './support/question-data.js';
import {
  assertSame,
  numbersOfOurs,
  numbersOfReference,
  type Numbers,
  type ReferenceRow,
} from './support/question-numbers.js';
import { type QuestionName } from './support/reference-questions.js';
import { sqlQuestions } from './support/sql-questions.js';

/** Fewer for a first look: `npm run bench -- sql 500000`. */
const events = Number(process.argv[3] ?? process.env.BENCH_EVENTS ?? 5_000_000);
const warmUps = 5;
const rounds = 15;

/** The time of an insight beside that of the SQL that a user would write for the same numbers. */
export const sql: Bench = { name: 'sql', run: () => withQuestionData(events, measure) };

async function* measure(clickhouse: ClickHouse): AsyncGenerator<Figure> {
  const askers = askersOf(clickhouse);
  const parser = await QueryParser.open();
  const ratios = { time: [] as number[], 'processor time': [] as number[] };
  // The first answers are slower: code is not compiled yet, and the engine still merges what was just inserted.
  for (let round = 0; round < warmUps; round += 1)
    for (const [name, { sql: text }] of Object.entries(sqlQuestions)) {
      await askOurs(askers[name as QuestionName], name as QuestionName);
      await askSql(clickhouse, parser, text);
    }
  for (const [name, question] of Object.entries(sqlQuestions)) {
    const insight = () => askOurs(askers[name as QuestionName], name as QuestionName);
    const ask = () => askSql(clickhouse, parser, question.sql);
    // This warms up both.
    const [expected, got] = [numbersOfOurs(await insight()), numbersOfReference(await ask())];
    assertSame(name, only(expected, question.of), got);
    const costs = { insight: [] as Cost[], sql: [] as Cost[] };
    for (let round = 0; round < rounds; round += 1) {
      costs.insight.push(await costOf(insight));
      costs.sql.push(await costOf(ask));
    }
    for (const kind of kinds) {
      const [ofInsight, ofSql] = [costs.insight, costs.sql].map((all) => median(all.map((cost) => cost[kind])));
      const ratio = (ofSql ?? NaN) / (ofInsight ?? NaN);
      ratios[kind].push(ratio);
      yield { figure: `${name}: the insight, ${kind}`, value: rounded(ofInsight ?? NaN, 1), unit: 'ms' };
      yield { figure: `${name}: SQL, ${kind}`, value: rounded(ofSql ?? NaN, 1), unit: 'ms' };
      yield { figure: `${name}: SQL ÷ the insight, ${kind}`, value: rounded(ratio), unit: 'ratio', atMost: 1.3 };
    }
  }
  for (const kind of kinds)
    yield { figure: `worst, ${kind}`, value: rounded(Math.max(...ratios[kind])), unit: 'ratio', atMost: 1.3 };
}

const kinds = ['time', 'processor time'] as const;

/** In milliseconds. Other load of the machine lengthens the time, and hardly the processor time of this process. */
type Cost = Readonly<Record<(typeof kinds)[number], number>>;

const costOf = async (work: () => Promise<unknown>): Promise<Cost> => {
  const begun = process.cpuUsage();
  const time = await timeOf(work);
  const { user, system } = process.cpuUsage(begun);
  return { time, 'processor time': (user + system) / 1000 };
};

const only = (numbers: Numbers, of: RegExp): Numbers => new Map([...numbers].filter(([key]) => of.test(key)));

/** Parsed, checked, compiled and answered, as the service does it. */
const askSql = async (clickhouse: ClickHouse, parser: QueryParser, text: string): Promise<ReferenceRow[]> => {
  const statement = new SqlStatement({
    project,
    projectId: project.id,
    now,
    overridden: false,
    cohorts: [],
    memberships: noCohorts,
    actions: new Map(),
    types: { of: () => 'other' },
  });
  const query = check(await parser.parse(text), {});
  const { limit, offset } = limitsOf(query);
  const compiled = compileQuestion(query, { limit: limit ?? 50_000, offset }, statement);
  const rows = await clickhouse.query<ReferenceRow>(compiled.sql, { project: 'system' });
  const names = compiled.outputs.map(({ name }) => name);
  return rows.map((row) =>
    Object.fromEntries(Object.values(row).map((value, at): [string, string | number] => [names[at] ?? '', value])),
  );
};
