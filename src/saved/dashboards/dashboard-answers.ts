import { Inject, Injectable } from '@nestjs/common';
import { ClientGone } from '../../platform/errors/client-gone.js';
import { Problem } from '../../platform/errors/problem.js';
import { isFields, requireObject, type Fields } from '../../platform/fields/values.js';
import { readJsonText } from '../../platform/values/json.js';
import { ProblemFilter, problemText } from '../../platform/http/problem.filter.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { answerChunks } from '../questions/answer-chunks.js';
import { QuestionAnswers, type Asker, type QuestionAnswer } from '../questions/question-answers.js';
import { assertRange, isOwnRange, ownRange } from '../questions/time-range.js';
import { QuestionCheck } from '../questions/question-check.js';
import { type SavedQuestion } from '../questions/question.js';
import { InsightsRepository } from '../insights/insights.repository.js';
import { type StoredTile } from './tiles.js';
import { type DashboardAnswersQuery } from './dashboard.dto.js';
import { DashboardsRepository, tilesOf, type DashboardRow } from './dashboards.repository.js';
import { assertFilters, readFilters, withFilters, withoutBreakdown } from './filters.js';
import { noRecord } from '../record-id.js';

const attr = 'filters_override';

/** The most tiles that are computed, or wait to be sent, at the same time. */
const tilesAhead = 3;
/** The largest answer of a tile, because an answer is held in memory until the tiles before it are sent. */
const maxTileBytes = 8 * 1024 ** 2;
/** The same for links, because this thread reads such an answer again, and anyone who has the link may ask. */
const maxSharedBytes = 1024 ** 2;

type TilesAsker = Asker & { readonly requestId: string };

type InsightTile = StoredTile & { readonly insight_id: number };

const showsInsight = (tile: StoredTile): tile is InsightTile => tile.insight_id !== null;

interface TileAnswer {
  readonly tile: InsightTile;
  /** With the filters of all tiles; null if the insight is gone. */
  readonly question: SavedQuestion | null;
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
    private readonly check: QuestionCheck,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.problems = new ProblemFilter(logger);
  }

  /** Returns the answers as JSON in chunks. An error that concerns the whole dashboard is thrown before the first chunk. */
  async answer(
    asker: TilesAsker,
    id: number,
    { refresh, filters_override: override, ...dates }: DashboardAnswersQuery,
  ): Promise<AsyncGenerator<string | Buffer>> {
    const { project, now } = asker;
    const board = await this.dashboards.find(project, id, null);
    const replaced = override ? readFilters(requireObject(readJsonText(override, attr), attr), attr) : null;
    if (replaced) await assertFilters(replaced, attr, this.check, project, now);
    const sent = { date_from: dates.date_from || null, date_to: dates.date_to || null };
    assertRange(sent, project, now);
    const filters = { ...(replaced ?? board), ...(isOwnRange(sent) ? {} : sent) };
    const tiles = await this.tiles(asker, board, (question) => withFilters(question, filters), refresh);
    return inJson(tiles, asker.requestId);
  }

  /** The same for a reader who may know only the numbers: without filters, warnings, and questions whose answers are lists. */
  async shared(asker: Omit<TilesAsker, 'scopes'>, id: number): Promise<AsyncGenerator<string | Buffer>> {
    const board = await this.dashboards.find(asker.project, id, null);
    const reader = { ...asker, scopes: ['person:read'] } as const;
    const tiles = await this.tiles(reader, board, (question) => withFilters(question, board), false);
    return inJson(numbersOnly(tiles), asker.requestId);
  }

  /** The answers of insights for a message, by the ids of tiles: without breakdowns, whose values may be those of persons. */
  async unsplit(asker: Omit<TilesAsker, 'scopes'>, id: number): Promise<ReadonlyMap<number, object | Problem>> {
    const board = await this.dashboards.find(asker.project, id, null);
    const reader = { ...asker, scopes: ['person:read'] } as const;
    const filters = { ...board, breakdown_filter: null };
    const questionOf = (question: SavedQuestion) => withFilters(withoutBreakdown(question), filters);
    const answers = new Map<number, object | Problem>();
    for await (const { tile, outcome } of await this.tiles(reader, board, questionOf, false))
      answers.set(tile.id, outcome instanceof Problem ? outcome : insightOf(outcome.json));
    return answers;
  }

  private async tiles(
    asker: TilesAsker,
    board: DashboardRow,
    questionOf: (saved: SavedQuestion) => SavedQuestion,
    refresh: boolean,
  ) {
    const tiles = tilesOf(board).filter(showsInsight);
    const questions = await this.insights.questions(
      asker.project,
      tiles.map(({ insight_id: insight }) => insight),
    );
    const answer = (tile: InsightTile) => {
      const question = questions.get(tile.insight_id);
      return this.tile(tile, question ? questionOf(question) : null, asker, refresh);
    };
    return inOrder(tiles, answer);
  }

  private async tile(
    tile: InsightTile,
    question: SavedQuestion | null,
    asker: TilesAsker,
    refresh: boolean,
  ): Promise<TileAnswer> {
    try {
      if (!question) throw noRecord('insight', tile.insight_id);
      const outcome = await this.answers.answer(question, asker, { refresh, range: ownRange });
      return { tile, question, outcome: outcome.json.length > maxTileBytes ? tooLong(maxTileBytes) : outcome };
    } catch (error) {
      if (error instanceof ClientGone) throw error;
      return { tile, question, outcome: this.problems.problemOf(error, asker.requestId) };
    }
  }
}

async function* numbersOnly(answers: AsyncIterable<TileAnswer>): AsyncGenerator<TileAnswer> {
  for await (const { tile, question, outcome } of answers)
    yield {
      tile,
      question: question && { type: question.type, params: withoutFilters(question.params) as Fields },
      outcome: outcome instanceof Problem ? withoutDetail(outcome) : shownByLink(outcome),
    };
}

const shownByLink = (outcome: QuestionAnswer): QuestionAnswer | Problem =>
  outcome.json.length > maxSharedBytes ? tooLong(maxSharedBytes) : { ...outcome, json: insightIn(outcome.json) };

/** Filters may name persons. */
const withoutFilters = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutFilters);
  if (typeof value === 'string' && /^\s*[[{]/.test(value)) return withoutFilters(readJsonText(value, 'params'));
  if (!isFields(value)) return value;
  const kept = Object.entries(value).filter(([name]) => name !== 'properties' && name !== 'query');
  return Object.fromEntries(kept.map(([name, one]) => [name, withoutFilters(one)]));
};

/** Warnings name properties of the project. */
const insightIn = (json: Buffer): Buffer => Buffer.from(JSON.stringify({ insight: insightOf(json) }));

const insightOf = (json: Buffer): object => (JSON.parse(json.toString()) as { readonly insight: object }).insight;

/** The detail of a problem may have names out of the question. */
const withoutDetail = ({ status, type, code, headers }: Problem): Problem => {
  const detail = status === 403 ? 'A link shows no tables' : 'There is no answer at the moment';
  return new Problem(status, type, code, detail, null, headers);
};

const tooLong = (most: number) =>
  new Problem(
    400,
    'invalid_request',
    'too_expensive',
    `The answer is longer than ${most / 1024 ** 2} MB, the limit for a tile: ask for fewer values or rows`,
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
  for await (const { tile, question, outcome } of answers) {
    yield `${separator}{"tile_id":${tile.id},"insight_id":${tile.insight_id},`;
    if (question) yield `"question":${JSON.stringify(question)},`;
    if (outcome instanceof Problem) yield `"problem":${problemText(outcome, requestId)}`;
    else yield* answerChunks(outcome);
    yield '}';
    separator = ',';
  }
  yield separator === ',' ? ']}' : '{"results":[]}';
}
