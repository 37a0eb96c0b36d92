import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PoolClient } from 'pg';
import { IdentityDatabase } from '../../support/identity-database.js';
import { event, identify, merging } from '../../support/identity-events.js';

let database: IdentityDatabase;

beforeAll(async () => {
  database = await IdentityDatabase.open(1);
});
afterAll(() => database.remove());

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

const allOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(allOf)];

const large = ['persons', 'person_distinct_ids', 'events', 'person_redirects', 'static_cohort_members'];
/** A project has at most 50 webhooks, so all of them may be read. */
const small = 'webhooks_pkey';
const byKey = /\b(id|person_id|distinct_id|uuid|target) = /;

/** A node that reads more of a table than the requested rows, or more of an index whose other columns come first. */
const readsTooMuch = (node: PlanNode): boolean =>
  node['Index Cond'] !== undefined
    ? (!byKey.test(node['Index Cond']) && node['Index Name'] !== small) || node['Index Name'] === 'persons_newest'
    : node['Node Type'] === 'Seq Scan' && large.includes(node['Relation Name'] ?? '');

const planOf = async (client: PoolClient, name: string, parameters: number, project = 'NULL'): Promise<PlanNode[]> => {
  const values = Array.from({ length: parameters }, (_, at) => (at === 0 ? project : 'NULL')).join();
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (FORMAT JSON) EXECUTE "${name}" (${values})`,
  );
  return rows.flatMap((row) => allOf(row['QUERY PLAN'][0].Plan));
};

const learnt = `
  SELECT name, cardinality(parameter_types) AS parameters FROM pg_prepared_statements WHERE name LIKE 'identity-%'`;

describe('statements prepared while a project is small', () => {
  it('find persons and ids by their keys', async () => {
    for (let round = 0; round < 8; round += 1) {
      await database.receive(Array.from({ length: 100 }, (_, at) => event(`visitor-${round}-${at}`)));
      const [ada, bob] = [`ada-${round}`, `bob-${round}`];
      await database.receive([event(ada), event(bob)]);
      await database.receive([
        event(ada, { set: { round } }),
        identify(ada, `anonymous-${round}`),
        merging('merge_dangerously', ada, bob),
      ]);
    }
    await database.transaction(async (client) => {
      await client.query('SET LOCAL plan_cache_mode = force_generic_plan');
      const { rows } = await client.query<{ name: string; parameters: number }>(learnt);
      expect(rows.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['identity-lock', 'identity-update', 'identity-move', 'identity-delete']),
      );
      for (const { name, parameters } of rows) {
        const tooMuch = (await planOf(client, name, parameters)).filter(readsTooMuch);
        expect({ name, tooMuch }).toEqual({ name, tooMuch: [] });
      }
    });
  });

  it('find the first persons of a project that the statistics do not know by their keys', async () => {
    await database.pool.query('ANALYZE persons, person_distinct_ids, events');
    await database.transaction(async (client) => {
      await client.query('SET LOCAL plan_cache_mode = force_custom_plan');
      const { rows } = await client.query<{ name: string; parameters: number }>(learnt);
      for (const { name, parameters } of rows) {
        const tooMuch = (await planOf(client, name, parameters, '1000000')).filter(readsTooMuch);
        expect({ name, tooMuch }).toEqual({ name, tooMuch: [] });
      }
    });
  });
});
