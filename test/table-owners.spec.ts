import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.includes(`migrations${sep}`))
  .map((name) => ({ name, text: readFileSync(join('src', name), 'utf8') }));

/** A part of the kernel and the room of the same noun own their tables together. */
const nouns: Readonly<Record<string, string>> = {
  'event-log': 'events',
  identity: 'persons',
  memberships: 'cohorts',
  postgres: 'stores',
  clickhouse: 'stores',
};

const moduleOf = (name: string): string => {
  const [family = '', part = ''] = name.split(sep);
  const folder = ['platform', 'kernel', 'operations'].includes(family) ? part : family;
  return nouns[folder] ?? folder;
};

/** A module owns the tables of the entities in its folder. */
const owners = new Map(
  files.flatMap(({ name, text }) =>
    [...text.matchAll(/@Entity\('(\w+)'\)/g)].map(([, table = '']) => [table, moduleOf(name)] as const),
  ),
);

/** Tables of ClickHouse that a module other than `projection` writes. The others are written by shipments and rebuilds. */
const inClickHouse = new Map([
  ['cohort_members', 'cohorts'],
  ['any projected table', 'projection'],
]);

/**
 * The job that deletes events empties the overrides of ids that have none left; shipments insert them. The job that removes
 * deleted projects empties the tables of all modules. The client of ClickHouse inserts into the table that its caller names. On
 * Citus, events arrive on the coordinator together with the rows of the outbox. A restore keeps books in a schema that it removes.
 */
const exceptions = new Set([
  'stores arrivals',
  'stores outbox',
  'backup loaded_files',
  'backup later_definitions',
  'deletions distinct_id_overrides',
  'deletions any tenant table',
  'deletions any projected table',
  'stores any projected table',
]);

const verb = String.raw`\b(?:INSERT\s+INTO|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE(?:\s+TABLE)?|(?<!FOR\s+(?:NO\s+KEY\s+)?)(?<!DO\s+)UPDATE)\s+(?:ONLY\s+)?`;

/** Removes rows of ClickHouse. */
const removal = String.raw`\bremoveWhere\(\s*[\w.]*clickhouse,\s*([^,]+),`;

interface Write {
  readonly file: string;
  readonly table: string;
}

/** A comment may speak of a statement. */
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');

/** The table of each statement that writes; a name from a variable is the text of its slot. */
const writesOf = (file: string, text: string): Write[] =>
  [...withoutComments(text).matchAll(new RegExp(`${verb}("?\\w+"?|\\$\\{[^}]*\\})|${removal}`, 'g'))].map(
    ([, name = '', removed = '']) => ({ file, table: removed || name.replaceAll('"', '') }),
  );

/** Slots for the names of tables. Each stands for tables of the module that it is in. */
const slots: Readonly<Record<string, readonly string[]>> = {
  '${quoteIdentifier(table)}': ['any projected table'],
  '${table}': ['activity_log', 'account_activity'],
  '${memberTable}': ['static_cohort_members', 'static_cohort_groups'],
  '${departureTable}': ['person_departures', 'group_departures'],
  '${favourites}': ['insight_favourites', 'dashboard_favourites'],
  '${tenantTable}': ['any tenant table'],
  '${storedTable(form, table)}': ['any projected table'],
  'definition.name': ['any projected table'],
  'eventsTable.name': ['any projected table'],
  "'cohort_members'": ['cohort_members'],
  'overridesTable.name': ['distinct_id_overrides'],
};

const tablesOf = ({ table }: Write): readonly string[] => slots[table] ?? [table];

const faultsOf = (writes: readonly Write[]): string[] =>
  writes.flatMap((write) =>
    tablesOf(write).flatMap((table) => {
      const writer = moduleOf(write.file);
      const owner = owners.get(table) ?? inClickHouse.get(table);
      if (owner === writer || exceptions.has(`${writer} ${table}`)) return [];
      return [`${write.file} writes ${table}, which belongs to ${owner ?? 'no module'}`];
    }),
  );

const all = files.flatMap(({ name, text }) => writesOf(name, text));

describe('a table', () => {
  it('is written only by the module that owns it', () => {
    expect(faultsOf(all)).toEqual([]);
  });

  it('is found in the statements: every table of PostgreSQL is written somewhere', () => {
    const written = new Set(all.flatMap(tablesOf));
    expect([...owners.keys()].filter((table) => !written.has(table))).toEqual([]);
    expect(all.length).toBeGreaterThan(70);
  });

  it('of another module is recognised in every kind of statement', () => {
    const fault = (sql: string) => faultsOf(writesOf(join('persons', 'x.ts'), sql)).length;
    for (const sql of [
      'INSERT INTO static_cohort_members (a) VALUES (1)',
      'insert'.toUpperCase() + '\n  INTO static_cohort_members AS m SELECT 1',
      'UPDATE cohorts AS c SET a = 1',
      'UPDATE ONLY cohorts SET a = 1',
      'DELETE FROM "cohorts" WHERE a',
      'MERGE INTO cohorts USING x',
      'TRUNCATE cohorts',
      'TRUNCATE TABLE cohorts',
      'WITH a AS (DELETE FROM cohorts RETURNING id) SELECT 1',
      'INSERT INTO ${unknown(name)} SELECT 1',
      "await removeWhere(this.clickhouse, 'cohort_members', members)",
    ])
      expect([sql, fault(sql)]).toEqual([sql, 1]);
    for (const sql of [
      'SELECT 1 FROM cohorts FOR UPDATE',
      'SELECT 1 FROM cohorts FOR NO KEY UPDATE',
      'INSERT INTO persons (a) VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 1',
      '// DELETE FROM cohorts',
      '/** UPDATE cohorts */',
    ])
      expect([sql, fault(sql)]).toEqual([sql, 0]);
  });

  it('is written through a repository only in the module of its entity', () => {
    const found = files.flatMap(({ name, text }) =>
      [...text.matchAll(/(?:getRepository|InjectRepository|forFeature)\(\[?(\w+)/g)].flatMap(([, entity = '']) => {
        const home = files.find((file) => file.text.includes(`export class ${entity} `));
        return home && moduleOf(home.name) === moduleOf(name) ? [] : [`${name} uses the repository of ${entity}`];
      }),
    );
    expect(found).toEqual([]);
  });
});
