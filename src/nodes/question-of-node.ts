import { type InsightType } from '../analytics/kinds/insight-kinds.js';
import { invalidInput } from '../platform/errors/problem.js';
import { isFields, type Fields } from '../platform/fields/values.js';
import { readNode } from './kinds/all-nodes.js';
import { formulasOf } from './kinds/trends.node.js';
import { innermost } from './kinds/wrappers.js';

/** The question that a node stands for, in the form in which questions are saved. */
interface NodeQuestion {
  readonly type: InsightType | 'sql';
  readonly params: Fields;
  /** Runs a check of the parameters, whose refusals then name the place in the node. */
  readonly naming: <T>(check: () => Promise<T>) => Promise<T>;
}

/** Refuses lists of events and persons, which have no form in which questions are saved. */
export const questionOfNode = (sent: unknown, root: string): NodeQuestion => {
  const { node, attr } = innermost(sent, root);
  if (isFields(node) && node.kind === 'HogQLQuery')
    return { type: 'sql', params: { query: sent }, naming: (check) => check() };
  const read = readNode(sent, root);
  if (read.kind !== 'insight')
    throw invalidInput(`${attr}.kind must be that of an insight or HogQLQuery: a list cannot be saved`, `${attr}.kind`);
  const { translation } = read;
  const { insight } = read.node;
  if (insight === 'trends') {
    const [only, another] = formulasOf(translation);
    if (another) throw invalidInput(`${another.attr} is one too many: a saved question has one formula`, another.attr);
    if (only && only.formula !== null && only.attr !== '') translation.set('formula', only.formula, only.attr);
  }
  return { type: insight, params: translation.params, naming: (check) => translation.naming(attr, check) };
};
