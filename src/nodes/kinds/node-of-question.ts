import { type InsightType } from '../../analytics/kinds/insight-kinds.js';
import { readJsonText } from '../../platform/values/json.js';
import { presentationNames } from '../../platform/http/presentation-names.js';
import { type Fields } from '../../platform/fields/values.js';
import { nodeOfInsight } from './all-nodes.js';
import { writeNodeFields } from '../reading/node-fields.js';
import { HasNoNode, writeAll } from '../reading/unwritten.js';

/** A question as it is saved, and the node from which it was made. */
export interface AskedAsNode {
  readonly type: InsightType | 'sql' | 'node';
  readonly params: Fields;
  readonly query: Fields | null;
}

/** The parameters of a question with the values that they have as JSON text. */
export const valuesOf = (params: Fields): Fields =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const isJson = typeof value === 'string' && /^\s*[[{"]/.test(value);
      return [name, isJson ? readJsonText(value, name) : value];
    }),
  );

/** The node that stands for a question as it is saved; null if none does. */
export const nodeOfQuestion = (type: InsightType | 'sql' | 'node', params: Fields): Fields | null => {
  if (type === 'node') return null;
  try {
    return type === 'sql' ? nodeOfSql(params) : nodeOf(type, params);
  } catch (error) {
    if (error instanceof HasNoNode) return null;
    throw error;
  }
};

const nodeOf = (insight: InsightType, params: Fields): Fields => {
  const { kind, node } = nodeOfInsight(insight);
  const source = writeAll({ ...node.ownDefaults, ...valuesOf(params) }, (from) => {
    for (const name of [...presentationNames, 'include']) from.take(name);
    return { kind, ...writeNodeFields(node.fields, from) };
  });
  return { kind: 'InsightVizNode', source };
};

const nodeOfSql = (params: Fields): Fields => {
  const source = writeAll(params, (from) => {
    const query = from.take('query');
    if (typeof query !== 'string') throw new HasNoNode();
    for (const name of [...presentationNames, 'format']) from.take(name);
    const values = from.take('values');
    return { kind: 'HogQLQuery', query, ...(values !== undefined && { values }) };
  });
  return { kind: 'DataVisualizationNode', source };
};
