import { describe, expect, it } from '@jest/globals';
import { type Postgres } from '../postgres.js';
import { distributeNewTables } from './distribute.js';

interface Shown {
  readonly hasCitus: boolean;
  readonly tables: readonly { readonly name: string; readonly placed: string; readonly column: string | null }[];
  readonly mode: string;
}

/** Answers what a database says of Citus: no test database can have a wrong distribution without its nodes. */
const database = ({ hasCitus, tables, mode }: Shown): Postgres => {
  const answer = (text: string): { rows: object[] } => {
    if (text.includes('pg_extension')) return { rows: hasCitus ? [{}] : [] };
    if (text.includes('citus_tables'))
      return { rows: tables.map((table) => ({ colocation: table.placed === 'distributed' ? '1' : null, ...table })) };
    return {
      rows: Object.entries({ 'citus.multi_shard_modify_mode': mode, plan_cache_mode: 'force_custom_plan' }).map(
        ([name, value]) => ({ name, value }),
      ),
    };
  };
  const query = (statement: string | { text: string }) =>
    Promise.resolve(answer(typeof statement === 'string' ? statement : statement.text));
  return { query } as unknown as Postgres;
};

const right = [
  { name: 'persons', placed: 'distributed', column: 'project_id' },
  { name: 'users', placed: 'reference', column: null },
  { name: 'outbox', placed: 'coordinator', column: null },
];

describe('a start', () => {
  it('takes a database without Citus, and one that is distributed as the service needs it', async () => {
    await distributeNewTables(database({ hasCitus: false, tables: [], mode: '' }));
    await distributeNewTables(database({ hasCitus: true, tables: right, mode: 'sequential' }));
  });

  it.each([
    [
      'is not distributed',
      right.map((table) => ({ ...table, placed: 'coordinator' })),
      'sequential',
      'citus distribute',
    ],
    ['lacks the settings', right, 'parallel', 'citus distribute'],
    [
      'has a queue on its nodes',
      [...right, { name: 'leases', placed: 'reference', column: null }],
      'sequential',
      'leases is reference, must be coordinator',
    ],
    [
      'is distributed by something else',
      [{ name: 'persons', placed: 'distributed', column: 'id' }],
      'sequential',
      'persons is distributed by id, must be by project_id',
    ],
  ])('refuses a database with Citus that %s', async (_, tables, mode, message) => {
    await expect(distributeNewTables(database({ hasCitus: true, tables, mode }))).rejects.toThrow(message);
  });
});
