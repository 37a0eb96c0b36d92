import { Inject, Injectable } from '@nestjs/common';
import { invalidInput } from '../../platform/errors/problem.js';
import { answerChunks } from '../questions/answer-chunks.js';
import { QuestionAnswers, type Asker } from '../questions/question-answers.js';
import { assertRange, rangeNames } from '../questions/time-range.js';
import { assertScopes } from '../../kernel/access/scopes.js';
import { SAVED_NODES, type SavedNodes } from '../questions/saved-nodes.js';
import { namedBelow } from '../questions/named-below.js';
import { scopesOf } from '../questions/question.js';
import { type AnswerQuery, type SavedInsightDto } from './insight.dto.js';
import { InsightsRepository } from './insights.repository.js';
import { noRecord } from '../record-id.js';

/** Answers one saved question. */
@Injectable()
export class InsightAnswers {
  constructor(
    private readonly rows: InsightsRepository,
    private readonly answers: QuestionAnswers,
    @Inject(SAVED_NODES) private readonly nodes: SavedNodes,
  ) {}

  /** The insight with the results of its node, computed anew. */
  async withResult(asker: Asker, id: number, userId: number | null): Promise<SavedInsightDto> {
    const row = await this.rows.find(asker.project, id, userId);
    assertScopes(asker.scopes, scopesOf(row.type));
    const { asOf, results } = await namedBelow('question.params', () => this.nodes.resultsOf(row, asker));
    return { ...(await this.rows.toDto(row)), last_refresh: asOf.toISOString(), result: results };
  }

  /** Returns the answer as JSON in chunks. */
  async answer(asker: Asker, id: number, { refresh, ...dates }: AnswerQuery): Promise<Iterable<string | Buffer>> {
    const question = (await this.rows.questions(asker.project, [id])).get(id);
    if (!question) throw noRecord('insight', id);
    const range = { date_from: dates.date_from || null, date_to: dates.date_to || null };
    const known = rangeNames(question);
    for (const name of ['date_from', 'date_to'] as const)
      if (range[name] !== null && !known.includes(name))
        throw invalidInput(`${name} is not a parameter of this question, which is of type ${question.type}`, name);
    assertRange(range, asker.project, asker.now);
    return inObject(answerChunks(await this.answers.answer(question, asker, { refresh, range })));
  }
}

function* inObject(chunks: Iterable<string | Buffer>): Generator<string | Buffer> {
  yield '{';
  yield* chunks;
  yield '}';
}
