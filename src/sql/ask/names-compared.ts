import { type NamedProperty } from '../../filters/warnings/unknown-properties.js';
import { type Expression, type InExpression, type Named, type OperationExpression, type Query } from '../tree.js';
import { walk } from '../compile/walk.js';

/** The events and properties that a question expects to have arrived. */
export interface NamesCompared {
  readonly events: readonly string[];
  readonly properties: readonly NamedProperty[];
}

interface NamedNode {
  readonly name?: Named;
  readonly alias?: Named | null;
}

/** Finds the events that a question compares with `event` and the properties that it reads, as far as its text tells. */
export const namesCompared = (query: Query): NamesCompared => {
  const tables = new Set<string>();
  const aliases = new Set<string>();
  const events: string[] = [];
  const keys: string[][] = [];
  walk(query, (node) => {
    const { name, alias } = node as NamedNode;
    if (alias && node.kind !== 'table') aliases.add(alias.text);
    if (node.kind === 'table' && name) tables.add(name.text);
    if (node.kind === 'operation') events.push(...eventsOfEquation(node as unknown as OperationExpression));
    if (node.kind === 'in') events.push(...eventsOfList(node as unknown as InExpression));
    if (node.kind === 'name') keys.push((node.parts as readonly Named[]).map(({ text }) => text));
    return true;
  });
  // An alias of that name may be computed in a sub-query, and then the name is no column of the table.
  const isColumn = (name: string): boolean => !aliases.has(name);
  const source = sourceOf(tables);
  return {
    events: isColumn('event') ? events : [],
    properties: source !== null && isColumn('properties') ? keys.flatMap((parts) => propertyOf(parts, source)) : [],
  };
};

/** Returns the owner of the properties of a table; null where a question reads several tables. */
const sourceOf = (tables: ReadonlySet<string>): NamedProperty['source'] | null => {
  const [table, ...others] = tables;
  if (others.length > 0) return null;
  if (table === 'events') return 'event';
  if (table === 'groups') return 'group';
  return table === 'persons' ? 'person' : null;
};

/** Returns the property in a name such as `properties.plan`, `e.properties.plan` or `person.properties.plan`. */
const propertyOf = (parts: readonly string[], source: NamedProperty['source']): NamedProperty[] => {
  const at = parts.indexOf('properties');
  const key = at < 0 ? undefined : parts[at + 1];
  if (key === undefined) return [];
  const owner = parts[at - 1] ?? '';
  const [, type] = /^group_(\d+)$/.exec(owner) ?? [];
  if (type !== undefined) return [{ source: 'group', groupType: Number(type), key, in: 'sql' }];
  return [{ source: owner === 'person' ? 'person' : source, key, in: 'sql' }];
};

const isEvent = (expression: Expression | undefined): boolean =>
  expression?.kind === 'name' && expression.parts.at(-1)?.text === 'event';

const textsOf = (expressions: readonly (Expression | undefined)[]): string[] =>
  expressions.flatMap((expression) => (expression?.kind === 'text' ? [expression.value] : []));

const eventsOfEquation = ({ operator, operands }: OperationExpression): string[] =>
  operator === '=' && operands.some(isEvent) ? textsOf(operands) : [];

const eventsOfList = ({ of, among, negated }: InExpression): string[] =>
  !negated && isEvent(of) && Array.isArray(among) ? textsOf(among as readonly Expression[]) : [];
