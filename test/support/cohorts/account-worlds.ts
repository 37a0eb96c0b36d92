import fc from 'fast-check';
import { importLines } from '../import.js';
import { type ServiceHandle } from '../service-handle.js';
import { CohortsOf, all } from './cohorts-of.js';

/** What a company is told to be; null takes the property away. */
interface Described {
  readonly plan?: string | null | undefined;
  readonly seats?: number | null | undefined;
}

/**
 * A few persons and companies. Many worlds fit into one project, because persons of one never name companies of another: what is asked
 * of the project is asked of each of its worlds.
 */
interface World {
  /** The properties of companies by their numbers, the last one of a property counts. Those of projects decide nothing. */
  readonly companies: readonly (readonly [company: number, Described])[];
  readonly projects: readonly (readonly [project: number, Described])[];
  /** Who did something, as an event of which company and project. */
  readonly events: readonly (readonly [person: number, company: number | null, project: number | null])[];
  /** The second person becomes the first. */
  readonly merges: readonly (readonly [into: number, from: number])[];
}

const persons = 6;
const described = fc.record(
  { plan: fc.constantFrom('free', 'pro', 'Profit', null), seats: fc.constantFrom(3, 5, 20, null) },
  { requiredKeys: [] },
);
const ofGroups = fc.array(fc.tuple(fc.nat(3), described), { maxLength: 6 });
const person = fc.nat(persons - 1);
const company: fc.Arbitrary<number | null> = fc.option(fc.nat(3));
const project: fc.Arbitrary<number | null> = fc.option(fc.nat(3), { freq: 1 });
const world: fc.Arbitrary<World> = fc.record({
  companies: ofGroups,
  projects: ofGroups,
  events: fc.array(fc.tuple(person, company, project), { minLength: 1, maxLength: 25 }),
  merges: fc.array(fc.tuple(person, person), { maxLength: 2 }),
});

/** A criterion about a company, the same in SQL about `g`, and once more about its properties. */
interface Asked {
  readonly criterion: object;
  readonly sql: string;
  readonly holds: (company: { readonly key: string } & Described) => boolean;
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null;

const asked: readonly Asked[] = [
  { criterion: { key: 'plan', value: 'pro' }, sql: `g.properties.plan = 'pro'`, holds: ({ plan }) => plan === 'pro' },
  {
    criterion: { key: 'plan', value: ['free', 'Profit'] },
    sql: `g.properties.plan IN ('free', 'Profit')`,
    holds: ({ plan }) => plan === 'free' || plan === 'Profit',
  },
  {
    criterion: { key: 'plan', operator: 'is_not', value: 'pro' },
    sql: `ifNull(g.properties.plan, '') != 'pro'`,
    holds: ({ plan }) => plan !== 'pro',
  },
  {
    criterion: { key: 'plan', operator: 'icontains', value: 'PRO' },
    sql: `ifNull(g.properties.plan, '') ILIKE '%pro%'`,
    holds: ({ plan }) => plan === 'pro' || plan === 'Profit',
  },
  {
    criterion: { key: 'plan', operator: 'is_set' },
    sql: `isNotNull(g.properties.plan)`,
    holds: ({ plan }) => isSet(plan),
  },
  {
    criterion: { key: 'seats', operator: 'is_not_set' },
    sql: `isNull(g.properties.seats)`,
    holds: ({ seats }) => !isSet(seats),
  },
  {
    criterion: { key: 'seats', operator: 'gt', value: 4 },
    sql: `ifNull(toFloat(g.properties.seats), 0) > 4`,
    holds: ({ seats }) => Number(seats ?? 0) > 4,
  },
  {
    criterion: { key: '$group_key', operator: 'regex', value: 'k[12]$' },
    sql: `match(g.key, 'k[12]$')`,
    holds: ({ key }) => /k[12]$/.test(key),
  },
];

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString();

const linesOf = ({ companies, projects, events, merges }: World, name: string): object[] => {
  const describing = (type: string, groups: World['companies']) =>
    groups.map(([key, properties]) => {
      const values = Object.entries(properties);
      const unset = values.flatMap(([property, value]) => (value === null ? [property] : []));
      return {
        ...{ type: 'event', event: '$groupidentify', distinct_id: 'crm', timestamp: at(0) },
        properties: {
          ...{ $group_type: type, $group_key: `${name}k${key}` },
          ...{ $group_set: Object.fromEntries(values.filter(([, value]) => value !== null)), $group_unset: unset },
        },
      };
    });
  return [
    ...describing('company', companies),
    ...describing('project', projects),
    ...events.map(([who, company, project], n) => ({
      ...{ type: 'event', event: 'seen', distinct_id: `${name}p${who}`, timestamp: at(n) },
      properties: {
        $groups: {
          ...(company !== null && { company: `${name}k${company}` }),
          ...(project !== null && { project: `${name}k${project}` }),
        },
      },
    })),
    ...merges.map(([into, from]) => ({
      ...{ type: 'event', event: '$merge_dangerously', distinct_id: `${name}p${into}`, timestamp: at(40) },
      properties: { alias: `${name}p${from}` },
    })),
  ];
};

/** For each person, by its smallest distinct id, whether it is a member. */
const naively = ({ companies, events, merges }: World, name: string, { holds }: Asked): Map<string, boolean> => {
  const owners = Array.from({ length: persons }, (_, who) => who);
  const there = new Set(events.map(([who]) => who));
  for (const [into, from] of merges) {
    const [to, gone] = [owners[into] ?? into, owners[from] ?? from];
    there.add(into).add(from);
    for (const [who, owner] of owners.entries()) if (owner === gone) owners[who] = to;
  }
  const described = new Map<number, Described>();
  for (const [company, more] of companies) described.set(company, { ...described.get(company), ...more });
  const found = new Map<string, boolean>();
  for (const who of [...there].sort((a, b) => a - b)) {
    const [first = who] = [...there].filter((other) => owners[other] === owners[who]).sort((a, b) => a - b);
    const belongs = events.some(
      ([doer, company]) =>
        owners[doer] === owners[who] &&
        company !== null &&
        holds({ key: `${name}k${company}`, ...described.get(company) }),
    );
    found.set(`${name}p${first}`, belongs);
  }
  return found;
};

const joined = ({ sql }: Asked, negation: boolean): string => `SELECT DISTINCT p.id FROM persons AS p
  LEFT JOIN (SELECT DISTINCT e.person_id AS id FROM events AS e
    JOIN groups AS g ON g.key = e.$group_0 WHERE g.index = 0 AND ${sql}) AS m ON m.id = p.id
  WHERE ${negation ? 'm.id = 0 OR isNull(m.id)' : 'm.id > 0'} ORDER BY p.id LIMIT 50000`;

const worldsAtOnce = 500;

/**
 * Draws worlds, and compares in each of them the persons by what a group of theirs is with the join in SQL and with the lists of the
 * world. Returns how many memberships there were to compare.
 */
export const compareWorlds = async (service: ServiceHandle, count: number, seed: number): Promise<number> => {
  let seen = 0;
  const worlds = fc.sample(world, { numRuns: count, seed });
  for (let from = 0; from < worlds.length; from += worldsAtOnce) {
    const some = worlds.slice(from, from + worldsAtOnce).map((each, n) => ({ name: `w${from + n}`, world: each }));
    seen += await compareInProject(service, some);
  }
  return seen;
};

const compareInProject = async (
  service: ServiceHandle,
  worlds: readonly { readonly name: string; readonly world: World }[],
): Promise<number> => {
  const of = new CohortsOf(service, (await service.newProject()).id);
  const types = ['company', 'project'].map((type) => ({
    ...{ type: 'event', event: '$groupidentify', distinct_id: 'crm', timestamp: at(0) },
    properties: { $group_type: type, $group_key: 'of no world' },
  }));
  await importLines(service, of.projectId, [...types, ...worlds.flatMap(({ world, name }) => linesOf(world, name))]);
  let seen = 0;
  for (const one of asked)
    for (const negation of [false, true]) {
      const criterion = { type: 'group', group_type_index: 0, ...one.criterion, negation };
      const { id } = await of.create({ filters: all(criterion) });
      const members = await of.members(id, { limit: 1000 });
      const { status, body, text } = await of.call('POST', 'query', { body: { query: joined(one, negation) } });
      if (status !== 200) throw new Error(text);
      const ids = new Set((body as { results: number[][] }).results.flat());
      const nameOf = ({ distinct_ids: names }: { readonly distinct_ids: readonly string[] }) =>
        [...names].sort()[0] ?? '';
      const [calculated, bySql] = [new Set(members.map(nameOf)), new Set<string>()];
      for (const member of members) if (ids.delete(member.id)) bySql.add(nameOf(member));
      if (ids.size > 0) throw new Error(`${JSON.stringify(criterion)}: only the join has ${[...ids].join(', ')}`);
      for (const { world, name } of worlds)
        for (const [person, belongs] of naively(world, name, one)) {
          const expected = belongs !== negation;
          if (expected) seen += 1;
          if (calculated.delete(person) === expected && bySql.delete(person) === expected) continue;
          throw new Error(
            `${JSON.stringify(criterion)}: ${person} must ${expected ? '' : 'not '}be in it: ${JSON.stringify(world)}`,
          );
        }
      if (calculated.size > 0) throw new Error(`${JSON.stringify(criterion)}: unknown ${[...calculated].join(', ')}`);
    }
  return seen;
};
