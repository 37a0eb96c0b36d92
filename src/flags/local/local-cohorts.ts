import { isFields } from '../../platform/fields/values.js';
import { readLeaf } from '../../filters/reading/leaf.js';
import { plainFilter } from '../definition/read-rules.js';

/** The definition of a cohort as SDKs read it. */
export interface LocalGroup {
  readonly type: 'AND' | 'OR';
  readonly values: readonly object[];
}

/** The stored definition of a dynamic cohort of persons; null for others. */
export interface StoredDefinition {
  readonly id: number;
  readonly filters: object | null;
}

const options = { defaultType: 'person', allowed: ['person', 'cohort'], stored: true } as const;

/** Null if an SDK cannot decide who is in the cohort, because it knows properties only. */
const groupOf = (sent: unknown): LocalGroup | null => {
  if (!isFields(sent) || !Array.isArray(sent.values)) return null;
  const values = sent.values.map((one: unknown) => (isFields(one) && 'values' in one ? groupOf(one) : leafOf(one)));
  const known = values.filter((one) => one !== null);
  return known.length < values.length || known.length === 0
    ? null
    : { type: String(sent.type).toUpperCase() === 'OR' ? 'OR' : 'AND', values: known };
};

const leafOf = (sent: unknown): object | null => {
  if (!isFields(sent) || sent.type === 'behavioral' || sent.type === 'group') return null;
  const filter = readLeaf(sent, 'filters', options);
  if (filter.kind === 'group' || filter.kind === 'expression') return null;
  if (filter.kind === 'cohort') return plainFilter(sent, filter);
  return filter.values.length === 0 && !filter.operator.endsWith('set')
    ? null
    : { ...plainFilter(sent, filter), ...(filter.negated && { negation: true }) };
};

const cohortsNamedIn = ({ values }: LocalGroup): number[] =>
  values.flatMap((one) => {
    if ('values' in one) return cohortsNamedIn(one as LocalGroup);
    return 'type' in one && one.type === 'cohort' && 'value' in one ? [Number(one.value)] : [];
  });

/**
 * The cohorts that SDKs can decide about themselves: those that properties alone define, with the cohorts that they name. SDKs ask
 * the service about flags on all others.
 */
export const localCohorts = (stored: readonly StoredDefinition[]): Record<string, LocalGroup> => {
  const groups = new Map(
    stored.flatMap(({ id, filters }) => {
      const group = isFields(filters) ? groupOf(filters.properties) : null;
      return group === null ? [] : [[id, group] as const];
    }),
  );
  for (let before = -1; before !== groups.size;) {
    before = groups.size;
    for (const [id, group] of groups) if (cohortsNamedIn(group).some((named) => !groups.has(named))) groups.delete(id);
  }
  return Object.fromEntries(groups);
};
