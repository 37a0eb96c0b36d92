import { check } from '../../src/sql/check/check.js';
import { compileQuestion } from '../../src/sql/compile/query.sql.js';
import { QueryParser } from '../../src/sql/parse/parser.js';
import { type AskingScope, SqlStatement } from '../../src/sql/statement.js';
import { type Sql } from '../../src/platform/clickhouse/sql.js';

/** A project far from UTC, whose events have other persons by now. */
export const askingScope: AskingScope = {
  project: {
    id: 2,
    timezone: 'America/New_York',
    weekStartDay: 0,
    personDisplayNameProperties: ['email'],
    testAccountFilters: [],
    pathCleaningFilters: [],
  },
  projectId: 2,
  now: new Date('2024-03-01T12:00:00Z'),
  overridden: true,
  cohorts: [],
  memberships: new Map(),
  actions: new Map(),
  types: { of: () => 'other' },
};

let parser: QueryParser | null = null;

/** A question as the engine gets it. */
export const compiledQuestion = async (text: string, scope: AskingScope = askingScope): Promise<Sql> => {
  parser ??= await QueryParser.open();
  return compileQuestion(check(await parser.parse(text), {}), { limit: 101, offset: 0 }, new SqlStatement(scope)).sql;
};
