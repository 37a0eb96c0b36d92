import { Inject, Injectable } from '@nestjs/common';
import { ClientGone } from '../../platform/errors/client-gone.js';
import { Problem } from '../../platform/errors/problem.js';
import { ProblemFilter, problemText } from '../../platform/http/problem.filter.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { answerChunks } from '../questions/answer-chunks.js';
import { QuestionAnswers, type Asker, type QuestionAnswer } from '../questions/question-answers.js';
import { assertRange, isOwnRange } from '../questions/time-range.js';
import { type SavedQuestion } from '../questions/question.js';
import { InsightsRepository } from '../insights/insights.repository.js';
import { type AnswerQuery } from '../insights/insight.dto.js';
import { type StoredTile } from './tiles.js';
import { DashboardsRepository } from './dashboards.repository.js';
import { noRecord } from '../record-id.js';

/** The most tiles that are computed, or wait to be sent, at the same time. */
const tilesAhead = 3;
/** The largest answer of a tile, because an answer is held in memory until the tiles before it are sent. */
const maxTileBytes = 8 * 1024 ** 2;

interface TileAnswer {
  readonly tile: StoredTile;
  readonly outcome: QuestionAnswer | Problem;
}

/** Answers the tiles of a dashboard, one after the other; a tile that fails does not stop the others. */
@Injectable()
export class DashboardAnswers {
  private readonly problems: ProblemFilter;

  constructor(
    private readonly dashboards: DashboardsRepository,
    private readonly insights: InsightsRepository,
    private readonly answers: QuestionAnswers,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.problems = new ProblemFilter(logger);
  }

  /** Returns the answers as JSON in chunks. An error that concerns the whole dashboard is thrown before the first chunk. */
  async answer(
    asker: Asker & { readonly requestId: string },
    id: number,
    { refresh, ...dates }: AnswerQuery,
  ): Promise<AsyncGenerator<string | Buffer>> {
    const { tiles, date_from, date_to } = await this.dashboards.find(asker.project, id, null);
    const sent = { date_from: dates.date_from || null, date_to: dates.date_to || null };
    assertRange(sent, asker.project, asker.now);
    const range = isOwnRange(sent) ? { date_from, date_to } : sent;
    const questions = await this.insights.questions(
      asker.project,
      tiles.map(({ insight_id: insight }) => insight),
    );
    const answer = (tile: StoredTile) => this.tile(tile, questions, asker, { refresh, range });
    return inJson(inOrder(tiles, answer), asker.requestId);
  }

  private async tile(
    tile: StoredTile,
    questions: ReadonlyMap<number, SavedQuestion>,
    asker: Asker & { readonly requestId: string },
    options: Parameters<QuestionAnswers['answer']>[2],
  ): Promise<TileAnswer> {
    try {
      const question = questions.get(tile.insight_id);
      if (!question) throw noRecord('insight', tile.insight_id);
      const outcome = await this.answers.answer(question, asker, options);
      return { tile, outcome: outcome.json.length > maxTileBytes ? tooLong() : outcome };
    } catch (error) {
      if (error instanceof ClientGone) throw error;
      return { tile, outcome: this.problems.problemOf(error, asker.requestId) };
    }
  }
}

const tooLong = () =>
  new Problem(
    400,
    'invalid_request',
    'too_expensive',
    `The answer is longer than ${maxTileBytes / 1024 ** 2} MB, the limit for a tile: ask for fewer values or rows`,
  );

/** Yields the results in the order of the items. A few are computed ahead. */
async function* inOrder<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const ahead: Promise<Result>[] = [];
  for (const item of items) {
    const result = work(item);
    // A failure is thrown where the result is awaited; this handler prevents an unhandled rejection before that.
    result.catch(() => undefined);
    ahead.push(result);
    const first = ahead.length < tilesAhead ? undefined : ahead.shift();
    if (first) yield await first;
  }
  for (const result of ahead) yield await result;
}

async function* inJson(answers: AsyncIterable<TileAnswer>, requestId: string): AsyncGenerator<string | Buffer> {
  let separator = '{"results":[';
  for await (const { tile, outcome } of answers) {
    yield `${separator}{"tile_id":${tile.id},"insight_id":${tile.insight_id},`;
    if (outcome instanceof Problem) yield `"problem":${problemText(outcome, requestId)}`;
    else yield* answerChunks(outcome);
    yield '}';
    separator = ',';
  }
  yield separator === ',' ? ']}' : '{"results":[]}';
}
