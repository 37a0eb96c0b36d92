import { type InCohortExpression, type CallExpression, type Literal, type Query } from '../tree.js';
import { walk } from './walk.js';

/** True in `cohorts` if a question names any; `actions` are those it names. Both are looked up before it is compiled. */
export interface Mentions {
  readonly cohorts: boolean;
  readonly actions: readonly Literal[];
}

const cohortTables = new Set(['cohorts', 'cohort_people', 'cohort_groups']);

export const mentionsOf = (queries: readonly Query[]): Mentions => {
  let cohorts = false;
  const actions: Literal[] = [];
  walk(queries, (node) => {
    if (node.kind === 'in cohort') cohorts ||= Boolean((node as unknown as InCohortExpression).cohort);
    if (node.kind === 'table') cohorts ||= cohortTables.has((node as unknown as { name: { text: string } }).name.text);
    if (node.kind !== 'call') return true;
    const { name, args } = node as unknown as CallExpression;
    const called = name.text.toLowerCase();
    if (called === 'incohort') cohorts = true;
    const [first] = args;
    if (called === 'matchesaction' && (first?.kind === 'text' || first?.kind === 'number')) actions.push(first);
    return true;
  });
  return { cohorts, actions };
};
