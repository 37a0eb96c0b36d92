import { type InsightQuestions } from '../analytics/kinds/insight-questions.js';
import { type InsightType } from '../analytics/kinds/insight-kinds.js';
import { type SelectedMembers } from '../cohorts/selection/selected-members.js';
import { type TrendsForm } from '../analytics/trends/trends.dto.js';
import { type QuestionWarningDto } from '../filters/warnings/question-warning.dto.js';
import { Params, type AskedQuestion } from '../filters/asking/questions.js';
import { type GroupsList } from '../groups/list/groups-list.js';
import { type PersonsList } from '../persons/list/persons-list.js';
import { type ActorDto } from '../analytics/shared/actor-pages.js';
import { invalidInput, required } from '../platform/errors/problem.js';
import { list, sql, unsigned } from '../platform/clickhouse/sql.js';
import { readText, type Fields } from '../platform/fields/values.js';
import { maxRows } from '../sql/ask/query-input.js';
import { type QueryService } from '../sql/ask/query.service.js';
import { nodeOfInsight, readNode, type ReadNode } from './kinds/all-nodes.js';
import {
  locatedInNode,
  presentEvents,
  readEventsQuestion,
  readPageOfNode,
  type EventsQuestion,
  type SqlAnswer,
} from './kinds/events.node.js';
import { groupsQueryOf, readGroupColumns } from './kinds/groups.node.js';
import { heatmapQuestions, isHeatmap, presentHeatmap, type HeatmapAnswers } from './kinds/heatmap.js';
import { type InsightNode } from './kinds/insight-node.js';
import { optionsIn } from './kinds/options.node.js';
import { personsQueryOf, readActorColumns } from './kinds/persons.node.js';
import { valuesOf } from './kinds/node-of-question.js';
import { formulasOf } from './kinds/trends.node.js';
import { Translation } from './reading/translation.js';

export interface NodeServices {
  readonly insights: InsightQuestions;
  readonly queries: QueryService;
  readonly persons: PersonsList;
  readonly groups: GroupsList;
  readonly selected: SelectedMembers;
}

export interface NodeAnswer {
  readonly asOf: Date;
  /** `results`, and what else answers to this kind of node have. */
  readonly body: Fields;
}

export type NodeAsker = Omit<AskedQuestion, 'params'>;

/** Answers a node with the services that answer our own questions. */
export const answerNode = (
  sent: unknown,
  root: string,
  asker: NodeAsker,
  services: NodeServices,
): Promise<NodeAnswer> => {
  const read = readNode(sent, root);
  return read.translation.naming(read.attr, () => answerTo(read, asker, services));
};

/** Answers a question of our own in the form of the node that stands for it. */
export const answerAsNode = (
  insight: InsightType,
  params: Fields,
  asker: NodeAsker,
  services: NodeServices,
): Promise<NodeAnswer> => {
  const translation = new Translation();
  for (const [name, value] of Object.entries(valuesOf(params))) translation.set(name, value, name);
  return answerInsight(nodeOfInsight(insight).node, translation, asker, services);
};

const answerTo = (read: ReadNode, asker: NodeAsker, services: NodeServices): Promise<NodeAnswer> => {
  const { kind, attr, translation } = read;
  switch (kind) {
    case 'insight':
      return answerInsight(read.node, translation, asker, services);
    case 'actors': {
      const { source } = translation;
      if (source === null) return listPersons(translation, asker, services, readActorColumns(translation));
      return listActors(translation, source, `${attr}.source`, asker, services);
    }
    case 'options':
      return listOptions(translation, `${attr}.source`, asker, services);
    case 'persons':
      return listPersons(translation, asker, services, (results) => ({ results }));
    case 'groups':
      return listGroups(translation, asker, services);
    case 'events':
      return listEvents(kind, translation, attr, asker, services);
    case 'old events':
      return listOldEvents(translation, attr, asker, services);
  }
};

const paramsOf = ({ params }: Translation, more: Fields = {}): Params => Params.of({}, { ...params, ...more });

interface TimesOfInsight {
  readonly date_from: string;
  readonly date_to: string;
}

/** A node with several formulas is a question for each. */
const answerInsight = async (
  node: InsightNode,
  translation: Translation,
  asker: NodeAsker,
  { insights }: NodeServices,
): Promise<NodeAnswer> => {
  if (isHeatmap(translation)) return answerHeatmap(translation, asker, insights);
  const questions = node.insight === 'trends' ? formulasOf(translation) : [{ formula: null, name: null, attr: '' }];
  const results: unknown[] = [];
  const warnings: QuestionWarningDto[] = [];
  let answer: NodeAnswer | null = null;
  for (const { formula, name, attr } of questions) {
    if (formula !== null && attr !== '') translation.set('formula', formula, attr);
    const { asOf, body } = await insights.answer(node.insight, { ...asker, params: paramsOf(translation) });
    const { date_from, date_to } = body.insight as TimesOfInsight;
    const presented = node.present(body.insight, translation);
    if (Array.isArray(presented.results)) results.push(...named(presented.results as Fields[], name));
    warnings.push(...(body.warnings ?? []));
    answer ??= { asOf, body: { ...presented, resolved_date_range: { date_from, date_to } } };
  }
  if (!answer) throw new Error('a node stands for at least one question');
  const { body, asOf } = answer;
  const all = questions.length > 1 || questions[0]?.name ? { results } : {};
  return { asOf, body: { ...body, ...all, ...(warnings.length > 0 && { warnings: distinct(warnings) }) } };
};

/** A heatmap is a question for its cells, its rows, its columns and all of it. */
const answerHeatmap = async (
  translation: Translation,
  asker: NodeAsker,
  insights: InsightQuestions,
): Promise<NodeAnswer> => {
  const answers = await Promise.all(
    heatmapQuestions.map(async ({ part, params }) => {
      const { asOf, body } = await insights.answer('trends', { ...asker, params: paramsOf(translation, params) });
      return { part, asOf, insight: body.insight as TrendsForm, warnings: body.warnings ?? [] };
    }),
  );
  const [first] = answers;
  const forms = Object.fromEntries(answers.map(({ part, insight }) => [part, insight])) as HeatmapAnswers;
  const { date_from, date_to } = forms.all;
  const warnings = distinct(answers.flatMap(({ warnings: own }) => own));
  const results = presentHeatmap(forms, translation);
  return {
    asOf: first?.asOf ?? asker.now,
    body: { results, resolved_date_range: { date_from, date_to }, ...(warnings.length > 0 && { warnings }) },
  };
};

const named = (lines: readonly Fields[], name: string | null): readonly Fields[] =>
  name === null ? lines : lines.map((line) => ({ ...line, label: name }));

const distinct = (warnings: readonly QuestionWarningDto[]): QuestionWarningDto[] => [
  ...new Map(warnings.map((warning) => [warning.detail, warning])).values(),
];

const listActors = async (
  translation: Translation,
  source: Translation,
  attr: string,
  asker: NodeAsker,
  { insights }: NodeServices,
): Promise<NodeAnswer> => {
  if (translation.params.properties !== undefined)
    throw invalidInput('properties do not filter the persons behind a number: put them into the source', 'properties');
  const show = readActorColumns(translation);
  const page = readPageOfNode(translation);
  const { search } = translation.params;
  const term = search === undefined ? null : readText(search, 'search');
  const question = { ...asker, params: paramsOf(source) };
  const insight = source.insight as InsightType;
  const { asOf, slice } = await source.naming(attr, () => insights.persons(insight, question, term, page));
  return { asOf, body: { ...show(slice.results), ...page, hasMore: page.offset + page.limit < slice.count } };
};

/** Asks the insight itself, so that each option is one that its numbers have. */
const listOptions = async (
  { source }: Translation,
  attr: string,
  asker: NodeAsker,
  services: NodeServices,
): Promise<NodeAnswer> => {
  const insight = source?.insight ?? null;
  if (source === null || insight === null) throw required('source');
  const { node } = nodeOfInsight(insight);
  const { asOf, body } = await source.naming(attr, () => answerInsight(node, source, asker, services));
  return { asOf, body: { results: [], ...optionsIn(insight, body.results) } };
};

const listPersons = async (
  translation: Translation,
  { project, now, signal }: NodeAsker,
  { persons, selected }: NodeServices,
  show: (persons: readonly ActorDto[]) => object,
): Promise<NodeAnswer> => {
  const query = personsQueryOf(translation);
  const page = readPageOfNode(translation);
  const { inSql } = translation;
  const ids =
    inSql && (await selected.ids({ ...project, signal }, inSql.node, now, { attr: inSql.attr, most: maxRows }));
  const among = ids && sql`${list(unsigned, [...ids])}`;
  const { count, records } = await persons.page(project, await persons.read(project, query, now, among), page, now);
  const results = records.flatMap(({ person }) => (person ? [person] : [])).slice(0, page.limit);
  return { asOf: now, body: { ...show(results), ...page, hasMore: page.offset + page.limit < count } };
};

const listGroups = async (
  translation: Translation,
  { project, now }: NodeAsker,
  { groups }: NodeServices,
): Promise<NodeAnswer> => {
  const show = readGroupColumns(translation);
  const query = groupsQueryOf(translation);
  const { limit, offset } = query;
  const { count, results } = await groups.slice(project, query, now);
  const page = { limit, offset, hasMore: offset + limit < count };
  return { asOf: now, body: { ...show(results), ...page } };
};

/** The question in SQL that lists events, as objects in the old form. */
export const eventsQuestionOf = (
  kind: 'events' | 'old events',
  translation: Translation,
  attr: string,
  { project, now }: NodeAsker,
): EventsQuestion => {
  if (kind === 'old events') {
    translation.set('select', ['*'], attr);
    translation.set('after', 'all', attr);
  }
  return readEventsQuestion(translation, attr, project, now);
};

const listEvents = async (
  kind: 'events' | 'old events',
  translation: Translation,
  attr: string,
  asker: NodeAsker,
  { queries }: NodeServices,
): Promise<NodeAnswer> => {
  const question = eventsQuestionOf(kind, translation, attr, asker);
  try {
    const { asOf, pieces } = await queries.answer(question.input, asker);
    const [head, rows, tail] = pieces;
    const answer = JSON.parse(head + rows.toString() + tail) as SqlAnswer & { readonly warnings?: unknown };
    const { warnings } = answer;
    return { asOf, body: { ...presentEvents(question, answer), ...(warnings !== undefined && { warnings }) } };
  } catch (error) {
    throw locatedInNode(error, question);
  }
};

/** A list of all events as objects, in its old form. */
const listOldEvents = async (
  translation: Translation,
  attr: string,
  asker: NodeAsker,
  services: NodeServices,
): Promise<NodeAnswer> => {
  const { asOf, body } = await listEvents('old events', translation, attr, asker, services);
  const rows = body.results as readonly (readonly unknown[])[];
  return { asOf, body: { results: rows.map(([event]) => event), hasMore: body.hasMore } };
};
