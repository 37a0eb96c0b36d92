import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { InsightQuestions } from '../../analytics/kinds/insight-questions.js';
import { Params } from '../../filters/asking/questions.js';
import { assertScopes, type GrantedScope } from '../../kernel/access/scopes.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { readQueryInput } from '../../sql/ask/query-input.js';
import { QueryService } from '../../sql/ask/query.service.js';
import { AnswerCache, type CachedAnswer } from './answer-cache.js';
import { LastChanges } from './last-changes.js';
import { SAVED_NODES, type SavedNodes } from './saved-nodes.js';
import { namedBelow } from './named-below.js';
import { nodeRows } from './node-rows.js';
import { scopesOf, type SavedQuestion } from './question.js';
import { withRange, type RangeOverride } from './time-range.js';

export interface QuestionAnswer extends CachedAnswer {
  readonly isCached: boolean;
}

export interface Asker {
  readonly project: ProjectContext;
  readonly scopes: readonly GrantedScope[];
  readonly now: Date;
  readonly signal: AbortSignal;
}

export interface AnswerOptions {
  /** True if the answer must be computed, even if there is a kept one. */
  readonly refresh: boolean;
  readonly range: RangeOverride;
}

/** Answers saved questions, from memory if nothing has changed that must show at once. */
@Injectable()
export class QuestionAnswers {
  private readonly cached = new AnswerCache();

  constructor(
    private readonly insights: InsightQuestions,
    private readonly queries: QueryService,
    private readonly changes: LastChanges,
    @Inject(SAVED_NODES) private readonly nodes: SavedNodes,
  ) {}

  async answer(question: SavedQuestion, asker: Asker, { refresh, range }: AnswerOptions): Promise<QuestionAnswer> {
    assertScopes(asker.scopes, scopesOf(question.type));
    const inRange = withRange(question, range);
    // The changes are read before the answer is computed: a later change has another key, so it does not find this answer.
    const key = keyOf(asker.project, inRange, await this.changes.of(asker.project));
    const cached = refresh ? null : this.cached.get(key, asker.now);
    if (cached) return { ...cached, isCached: true };
    const answer = await namedBelow('question.params', () => this.compute(inRange, asker));
    this.cached.set(key, asker.project.id, answer);
    return { ...answer, isCached: false };
  }

  /** Computes the answer as the route of the question sends it, but an insight without its persons. */
  private async compute({ type, params }: SavedQuestion, asker: Asker): Promise<CachedAnswer> {
    const read = Params.of({}, params);
    if (type === 'node') {
      const startedAt = performance.now();
      const { asOf, body } = await this.nodes.answer(params.query, asker);
      const rows = nodeRows(body, asOf, Math.round(performance.now() - startedAt));
      return { asOf, json: Buffer.from(JSON.stringify(rows)) };
    }
    if (type === 'sql') {
      const { asOf, pieces } = await this.queries.answer(readQueryInput(read), asker);
      const [head, rows, tail] = pieces;
      return { asOf, json: Buffer.concat([Buffer.from(head), rows, Buffer.from(tail)]) };
    }
    const { asOf, body } = await this.insights.answer(type, { ...asker, params: read });
    return { asOf, json: Buffer.from(JSON.stringify(body)) };
  }
}

const keyOf = ({ id }: ProjectContext, question: SavedQuestion, changes: string): string =>
  createHash('sha256')
    .update(JSON.stringify([id, question.type, question.params, changes]))
    .digest('base64');
