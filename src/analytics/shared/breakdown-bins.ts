import { Injectable } from '@nestjs/common';
import { type Sql, join, sql } from '../../platform/clickhouse/sql.js';
import { binBounds } from './bins.js';
import { propertyParts, type Breakdown } from './breakdown.js';
import { breakdownTexts } from './breakdown.sql.js';
import { type QuestionScope } from './question-scopes.js';
import { Questions } from '../../filters/asking/questions.js';

/** The FROM and WHERE clauses that read the events `e` of a question, joined with what its breakdown needs. */
export interface BreakdownRows {
  readonly from: Sql;
  readonly where: Sql;
}

interface Extremes {
  readonly lowest: readonly (number | null)[];
  readonly highest: readonly (number | null)[];
}

/** Looks up the bounds of histograms, so that numbers and lists of persons of one question have the same bins. */
@Injectable()
export class BreakdownBins {
  constructor(private readonly questions: Questions) {}

  /** Replaces the number of bins in a breakdown by the bounds of the bins. If the events have no numbers, there are no bins. */
  async resolve(
    breakdown: Breakdown | null,
    rowsOf: (breakdown: Breakdown) => BreakdownRows,
    scope: QuestionScope,
  ): Promise<Breakdown | null> {
    if (breakdown === null) return null;
    const isBinned = propertyParts(breakdown).map(({ bins }) => bins !== null);
    if (!isBinned.includes(true)) return breakdown;
    const numbers = breakdownTexts(breakdown, scope).filter((_, at) => isBinned[at]);
    const [extremes] = await this.questions.ask<Extremes>(scope, extremesSql(numbers, rowsOf(breakdown)));
    let binned = 0;
    const parts = breakdown.parts.map((part) => {
      if (part.kind === 'cohort' || typeof part.bins !== 'number') return part;
      const [lowest, highest] = [extremes?.lowest[binned] ?? null, extremes?.highest[binned] ?? null];
      binned += 1;
      return { ...part, bins: lowest === null || highest === null ? [] : binBounds(lowest, highest, part.bins) };
    });
    return { ...breakdown, parts };
  }
}

const extremesSql = (numbers: readonly Sql[], { from, where }: BreakdownRows): Sql => {
  const each = (name: Sql) => sql`[${join(numbers.map((number) => sql`${name}(${number})`))}]`;
  return sql`SELECT ${each(sql`min`)} AS lowest, ${each(sql`max`)} AS highest FROM ${from} WHERE ${where}`;
};
