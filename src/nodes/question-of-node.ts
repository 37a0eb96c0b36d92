import { type InsightType } from '../analytics/kinds/insight-kinds.js';
import { Params } from '../filters/asking/questions.js';
import { isFields, type Fields } from '../platform/fields/values.js';
import { type NamesInQuery } from '../sql/ask/names-in-query.js';
import { readSqlText } from '../sql/ask/query-input.js';
import { readNode, type ReadNode } from './kinds/all-nodes.js';
import { locatedInNode } from './kinds/events.node.js';
import { groupsQueryOf, readGroupColumns } from './kinds/groups.node.js';
import { personsQueryOf, readActorColumns } from './kinds/persons.node.js';
import { eventsQuestionOf, type NodeAsker, type NodeServices } from './node-answers.js';
import { isHeatmap } from './kinds/heatmap.js';
import { formulasOf } from './kinds/trends.node.js';
import { innermost } from './kinds/wrappers.js';

/** The question that a node stands for, in the form in which questions are saved. */
interface NodeQuestion {
  readonly type: InsightType | 'sql' | 'node';
  readonly params: Fields;
  /** Runs a check of the parameters, whose refusals then name the place in the node. */
  readonly naming: <T>(check: () => Promise<T>) => Promise<T>;
}

/** A node that stands for no question of our own, or for several, is saved as such. */
export const questionOfNode = (sent: unknown, root: string): NodeQuestion => {
  const { node, attr } = innermost(sent, root);
  if (isFields(node) && node.kind === 'HogQLQuery')
    return { type: 'sql', params: { query: sent }, naming: (check) => check() };
  const read = readNode(sent, root);
  const asNode: NodeQuestion = { type: 'node', params: { query: sent }, naming: (check) => check() };
  if (read.kind !== 'insight') return asNode;
  const { translation } = read;
  const { insight } = read.node;
  if (isHeatmap(translation)) return asNode;
  if (insight === 'trends') {
    const [only, another] = formulasOf(translation);
    if (another) return asNode;
    if (only && only.formula !== null && only.attr !== '') translation.set('formula', only.formula, only.attr);
  }
  return { type: insight, params: translation.params, naming: (check) => translation.naming(attr, check) };
};

/** Refuses a node that would have no answer; returns the names in it. */
export const checkNode = (
  sent: unknown,
  root: string,
  asker: NodeAsker,
  services: NodeServices,
): Promise<NamesInQuery> => {
  const read = readNode(sent, root);
  return read.translation.naming(read.attr, () => namesIn(read, asker, services));
};

const none: NamesInQuery = { events: [], eventProperties: [], personProperties: [] };

const namesIn = async (read: ReadNode, asker: NodeAsker, services: NodeServices): Promise<NamesInQuery> => {
  const { project, now } = asker;
  const { insights, persons, groups, queries } = services;
  const { translation, attr } = read;
  const check = (insight: InsightType, params: Fields) =>
    insights.check(insight, { project, now, params: Params.of({}, params) });
  if (read.kind === 'insight') {
    for (const { formula, attr: place } of formulasOf(translation)) {
      translation.set('formula', formula, place);
      await check(read.node.insight, translation.params);
    }
    const events = (translation.params.events ?? []) as readonly Fields[];
    return { ...none, events: events.flatMap(({ id }) => (typeof id === 'string' ? [id] : [])) };
  }
  if (read.kind === 'events' || read.kind === 'old events') {
    const question = eventsQuestionOf(read.kind, translation, attr, asker);
    try {
      return await queries.check(question.input, asker);
    } catch (error) {
      throw locatedInNode(error, question);
    }
  }
  if (read.kind === 'groups') {
    readGroupColumns(translation);
    await groups.check(project, groupsQueryOf(translation));
    return none;
  }
  if (read.kind === 'actors') readActorColumns(translation);
  const { source, inSql } = translation;
  if (source !== null) await source.naming(`${attr}.source`, () => check(source.insight as InsightType, source.params));
  else await persons.read(project, personsQueryOf(translation), now);
  if (inSql === null) return none;
  return queries.check(
    { ...readSqlText(inSql.node, inSql.attr, {}), limit: null, offset: null, format: 'json' },
    asker,
  );
};
