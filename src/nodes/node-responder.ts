import { Injectable } from '@nestjs/common';
import { InsightQuestions } from '../analytics/kinds/insight-questions.js';
import { Params, type QuestionRequest } from '../filters/asking/questions.js';
import { admittedContextOf, callerOf } from '../kernel/access/access.js';
import { assertScopes } from '../kernel/access/scopes.js';
import { SelectedMembers } from '../cohorts/selection/selected-members.js';
import { storeAnswer } from '../kernel/idempotency/keyed-answers.js';
import { GroupsList } from '../groups/list/groups-list.js';
import { PersonsList } from '../persons/list/persons-list.js';
import { invalidInput, required } from '../platform/errors/problem.js';
import { isFields, type Fields } from '../platform/fields/values.js';
import { countRows } from '../platform/http/compression.js';
import { AnswerSender } from '../sql/ask/answer-sender.js';
import { type NamesInQuery } from '../sql/ask/names-in-query.js';
import { readQueryInput } from '../sql/ask/query-input.js';
import { QueryService } from '../sql/ask/query.service.js';
import { type NodeAnswer, type NodeAsker, type NodeServices } from './node-answers.js';
import { InsightLookup } from './kinds/insight-lookup.js';
import { type AskedAsNode } from './kinds/node-of-question.js';
import { innermost, namesInsight } from './kinds/wrappers.js';

interface NodeResults {
  readonly asOf: Date;
  readonly results: unknown;
}

/** Parameters of questions in SQL, which nodes have inside of them. */
const ofSql = ['values', 'limit', 'offset'] as const;

const isInSql = (sent: unknown): boolean => {
  const { node } = innermost(sent, '');
  return !isFields(node) || node.kind === undefined || node.kind === 'HogQLQuery';
};

/** Answers what is sent to `query`: a question in SQL, or a node of the reference product. */
@Injectable()
export class NodeResponder {
  constructor(
    private readonly sql: AnswerSender,
    private readonly insights: InsightQuestions,
    private readonly queries: QueryService,
    private readonly persons: PersonsList,
    private readonly groups: GroupsList,
    private readonly selected: SelectedMembers,
    private readonly saved: InsightLookup,
  ) {}

  send(question: QuestionRequest): Promise<void> {
    return this.withSaved(question, (resolved) =>
      isInSql(resolved.params.raw('query')) ? this.sql.send(resolved) : this.sendNode(resolved),
    );
  }

  /** Answers a node whose kind is also in the path. */
  async sendKind(question: QuestionRequest, kind: string): Promise<void> {
    const sent = question.params.raw('query');
    if (sent === undefined || sent === null || sent === '') throw required('query');
    const { node, attr } = innermost(sent, 'query');
    const kinds = [sent, node].map((one) => (isFields(one) ? one.kind : undefined));
    if (!kinds.includes(kind))
      throw invalidInput(`${attr}.kind must be ${kind.slice(0, 100)}, as in the path`, `${attr}.kind`);
    await this.withSaved(question, (resolved) => {
      if (isInSql(resolved.params.raw('query')))
        throw invalidInput(`${attr} is a question in SQL: send it to query, without a kind in the path`, attr);
      return this.sendNode(resolved);
    });
  }

  /** Asks a question in which the question of an insight replaces the node that names the insight. */
  private async withSaved(question: QuestionRequest, ask: (resolved: QuestionRequest) => Promise<void>): Promise<void> {
    const sent = question.params.raw('query');
    if (!namesInsight(sent)) return ask(question);
    assertScopes(callerOf(question.request).scopes, ['insight:read']);
    const { namingSaved, withSavedInsight } = await import('./kinds/saved-insight.node.js');
    const found = await withSavedInsight(sent, 'query', (id) => this.saved.find(question.project, id));
    if (found === null) return ask(question);
    const resolved = { ...question, params: question.params.with({ query: found.node }) };
    return namingSaved(found, () => ask(resolved));
  }

  /** The results of a saved question, in the form of its node. */
  async resultsOf({ type, params, query }: AskedAsNode, asker: NodeAsker): Promise<NodeResults> {
    if (type === 'sql') {
      const { asOf, pieces } = await this.queries.answer(readQueryInput(Params.of({}, params)), asker);
      const [head, rows, tail] = pieces;
      return { asOf, results: (JSON.parse(head + rows.toString() + tail) as { results: unknown }).results };
    }
    const node = type === 'node' ? params.query : query;
    const { answerAsNode } = await import('./node-answers.js');
    const { asOf, body } =
      type === 'node' || node !== null
        ? await this.answer(node, asker)
        : await answerAsNode(type, params, asker, this.services());
    return { asOf, results: body.results };
  }

  /** The node that stands for a saved question; null if none does. */
  async nodeOf({ type, params }: Pick<AskedAsNode, 'type' | 'params'>): Promise<Fields | null> {
    const { nodeOfQuestion } = await import('./kinds/node-of-question.js');
    return nodeOfQuestion(type, params);
  }

  /** Loaded with the first node, because most installations never get one. */
  async answer(node: unknown, asker: NodeAsker): Promise<NodeAnswer> {
    const { answerNode } = await import('./node-answers.js');
    return answerNode(node, 'query', asker, this.services());
  }

  /** Refuses a node that would have no answer; returns the names in it. */
  async check(node: unknown, asker: NodeAsker): Promise<NamesInQuery> {
    const { checkNode } = await import('./question-of-node.js');
    return checkNode(node, 'query', asker, this.services());
  }

  private services(): NodeServices {
    const { insights, queries, persons, groups, selected } = this;
    return { insights, queries, persons, groups, selected };
  }

  private async sendNode({ params, project, now, signal, request, response }: QuestionRequest): Promise<void> {
    const startedAt = performance.now();
    const format = params.raw('format');
    if (params.has('format') && format !== 'json')
      throw invalidInput('format must be json for a node: files are for questions in SQL, and for lists', 'format');
    const inNode = ofSql.find((name) => params.has(name));
    if (inNode !== undefined) throw invalidInput(`${inNode} is for questions in SQL: a node has its own`, inNode);
    const { asOf, body } = await this.answer(params.raw('query'), { project, now, signal });
    await storeAnswer(request);
    if (Array.isArray(body.results)) countRows(response, body.results.length);
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    const id = params.raw('client_query_id');
    response.json({
      ...body,
      timezone: project.timezone,
      is_cached: false,
      last_refresh: asOf.toISOString(),
      timings: [{ k: 'total', t: seconds }],
      query_status: {
        id: typeof id === 'string' && id !== '' ? id : admittedContextOf(request).requestId,
        team_id: project.id,
        query_async: false,
        complete: true,
        error: false,
        error_message: null,
        start_time: now.toISOString(),
        end_time: new Date(now.getTime() + seconds * 1000).toISOString(),
      },
    });
  }
}
