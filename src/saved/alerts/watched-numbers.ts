import { Injectable } from '@nestjs/common';
import { InsightQuestions } from '../../analytics/kinds/insight-questions.js';
import { type TrendsForm } from '../../analytics/trends/trends.dto.js';
import { Params } from '../../filters/asking/questions.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { type Calendar, type Interval } from '../../platform/time/intervals.js';
import { bucketsOf } from '../../platform/time/range.js';
import { namedBelow } from '../questions/named-below.js';
import { type SavedQuestion } from '../questions/question.js';
import { type AlertRule, alertVerdictOf, pastOf, type AlertVerdict } from './alert-rule.js';
import { type DecidedInterval, type Schedule, startsOfPast } from './schedule.js';

export interface WatchedSeries {
  readonly question: SavedQuestion;
  readonly seriesIndex: number;
  readonly interval: Interval;
}

export interface DecidedVerdict {
  readonly decided: DecidedInterval;
  readonly verdict: AlertVerdict;
}

interface Asking {
  readonly project: ProjectContext;
  readonly now: Date;
  readonly signal: AbortSignal;
}

const refused = (why: string) =>
  invalidInput(`insight must be a saved question with one number for each interval: ${why}`, 'insight');

/** Reads the numbers of saved questions that alerts watch. */
@Injectable()
export class WatchedNumbers {
  constructor(private readonly insights: InsightQuestions) {}

  /** Refuses questions without one number for each interval. */
  async series(
    project: ProjectContext,
    question: SavedQuestion,
    seriesIndex: number,
    now: Date,
  ): Promise<WatchedSeries> {
    const { type, params } = question;
    if (type !== 'trends') throw refused(`it must be a trend, and this one is ${type}`);
    const read = await namedBelow('question.params', () =>
      this.insights.trends({ project, params: Params.of({}, params), now }),
    );
    if (read.display !== 'points')
      throw refused('its display must have a number for each interval, and no running sum');
    if (read.breakdown !== null) throw refused('it must have no breakdown');
    if (read.smoothing > 1) throw refused('it must have no smoothing_intervals');
    if (read.interval === 'minute') throw refused('its interval must be hour, day, week or month');
    const count = read.formula === null ? read.series.length : 1;
    if (seriesIndex < count) return { question, seriesIndex, interval: read.interval };
    throw invalidInput(
      `config.series_index must be a series of the question: the last one is ${count - 1}`,
      'config.series_index',
    );
  }

  /** Decides intervals by one question, in order. */
  async verdicts(
    rule: AlertRule,
    watched: WatchedSeries,
    intervals: readonly DecidedInterval[],
    schedule: Schedule,
    asking: Asking,
  ): Promise<DecidedVerdict[]> {
    const past = pastOf(rule, watched.interval);
    const starts = intervals.map((decided) => startsOfPast(decided, past, schedule));
    const all = [...intervals.map(({ start }) => start), ...starts.flat()].map((start) => start.getTime());
    const last = intervals.at(-1);
    if (!last) return [];
    const range = { from: new Date(Math.min(...all)), to: new Date(last.end.getTime() - 1) };
    const numbers = await this.numbers(watched, range, schedule.calendar, asking);
    const numberAt = (start: Date): number => {
      const number = numbers.get(start.getTime());
      if (number === undefined) throw new Error(`The answer has no number at ${start.toISOString()}`);
      return number;
    };
    return intervals.map((decided, at) => ({
      decided,
      verdict: alertVerdictOf(rule, numberAt(decided.start), (starts[at] ?? []).map(numberAt)),
    }));
  }

  /** Returns the numbers of a series by the starts of their intervals. */
  private async numbers(
    { question, seriesIndex, interval }: WatchedSeries,
    range: { readonly from: Date; readonly to: Date },
    calendar: Calendar,
    { project, now, signal }: Asking,
  ): Promise<ReadonlyMap<number, number>> {
    const params = Params.of({}, question.params).with({
      date_from: range.from.toISOString(),
      date_to: range.to.toISOString(),
      explicit_date: true,
      compare: false,
    });
    const { body } = await namedBelow('question.params', () =>
      this.insights.answer('trends', { project, params, now, signal }),
    );
    const line = (body.insight as TrendsForm).series[seriesIndex];
    const data = line && 'data' in line ? line.data : [];
    const { starts } = bucketsOf(range, interval, calendar);
    if (starts.length !== data.length)
      throw new Error(`The answer has ${data.length} numbers for ${starts.length} intervals`);
    return new Map(starts.map((start, at) => [start.getTime(), data[at] ?? 0]));
  }
}
