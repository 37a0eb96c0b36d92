import { Injectable } from '@nestjs/common';
import { type Sql } from '../../platform/clickhouse/sql.js';
import { type Answer } from '../shared/insight-responder.js';
import { BreakdownBins } from '../shared/breakdown-bins.js';
import {
  assertFewNumbers,
  cohortParts,
  isOther,
  onlyCohorts,
  otherValue,
  propertiesOfBreakdown,
  type Breakdown,
} from '../shared/breakdown.js';
import { CohortNames, valueLabels } from '../shared/cohort-names.js';
import { insightHead } from '../shared/common.parameters.js';
import { type AskedQuestion, Questions } from '../../filters/asking/questions.js';
import { type ActorRow } from '../shared/actor-pages.js';
import { type QuestionScope, QuestionScopes } from '../shared/question-scopes.js';
import { type RetentionDto, type RetentionOfValueDto } from './retention.dto.js';
import { cellLabel, cellsInRow } from './cells.js';
import { filtersOfRetention, readRetention, type RetentionQuery } from './retention.query.js';
import { everyValue, retentionRows, type AnsweredValues } from './presence.sql.js';
import { frequentValuesSql, mostAppearances, retentionActorsSql, retentionSql } from './retention.sql.js';

interface CellRow {
  /** With a breakdown. */
  readonly value?: readonly string[];
  readonly start: number;
  readonly later: number;
  readonly actors: number;
}

interface Appearing extends ActorRow {
  readonly appearances: number[];
}

@Injectable()
export class RetentionService {
  constructor(
    private readonly scopes: QuestionScopes,
    private readonly questions: Questions,
    private readonly bins: BreakdownBins,
    private readonly cohortNames: CohortNames,
  ) {}

  async ask({ project, params, now, signal }: AskedQuestion): Promise<Answer<Appearing>> {
    const unbinned = await this.scopes.read(readRetention, { project, params, now });
    const scope = await this.scopes.open(project, filtersOfRetention(unbinned), now, signal, unbinned);
    const rowsOf = (breakdown: Breakdown) => retentionRows({ ...unbinned, breakdown }, scope);
    const q = { ...unbinned, breakdown: await this.bins.resolve(unbinned.breakdown, rowsOf, scope) };
    return {
      scope,
      entities: [q.target, q.returning],
      properties: propertiesOfBreakdown(q.breakdown),
      insight: () => this.insight(q, scope),
      persons: {
        list: { actors: await this.actors(q, scope), order: mostAppearances },
        extra: ({ appearances }) => ({ appearances }),
        columns: ['appearances'],
      },
    };
  }

  /** Without a value the persons are those of the whole question. */
  private async actors(q: RetentionQuery, scope: QuestionScope): Promise<Sql> {
    const { breakdown, value } = q;
    if (breakdown === null || value === null) return retentionActorsSql({ ...q, breakdown: null, value: null }, scope);
    const values = isOther(value) ? await this.valuesOf(q, breakdown, scope) : everyValue;
    return retentionActorsSql(q, scope, values);
  }

  private async insight(q: RetentionQuery, scope: QuestionScope): Promise<RetentionDto> {
    const { starts, end, labels } = q.buckets;
    const { breakdown, brackets } = q;
    const [rows, byValue] = await Promise.all([
      this.questions.ask<CellRow>(scope, retentionSql({ ...q, breakdown: null }, scope)),
      breakdown && this.byValue(q, breakdown, scope),
    ]);
    return {
      kind: 'retention',
      ...insightHead(scope, { from: starts[0] ?? end, to: new Date(end.getTime() - 1) }),
      interval: q.interval,
      brackets: brackets === null ? null : [...brackets],
      labels: q.cells.map((cell) => `${q.period} ${cellLabel(cell)}`),
      dates: [...labels],
      ...numbersOf(q, rows),
      ...(byValue && { breakdown: byValue }),
    };
  }

  private async byValue(q: RetentionQuery, breakdown: Breakdown, scope: QuestionScope): Promise<RetentionOfValueDto[]> {
    const values = await this.valuesOf(q, breakdown, scope);
    assertFewNumbers(values.known.length, numberOfCells(q), 'cells');
    const [rows, names] = await Promise.all([
      this.questions.ask<CellRow>(scope, retentionSql(q, scope, values)),
      this.cohortNames.of(scope.project, q),
    ]);
    const rowsOf = new Map<string, CellRow[]>();
    for (const row of rows) {
      const key = JSON.stringify(row.value);
      rowsOf.set(key, [...(rowsOf.get(key) ?? []), row]);
    }
    return [...values.known, ...(values.hasRest ? [otherValue] : [])].map((value) => ({
      value: value.length === 1 ? (value[0] ?? '') : [...value],
      ...(cohortParts(breakdown).length > 0 && { labels: valueLabels(value, breakdown, names) }),
      ...numbersOf(q, rowsOf.get(JSON.stringify(value)) ?? []),
    }));
  }

  /** The values with which most persons began; of cohorts alone, those of the request. */
  private async valuesOf(q: RetentionQuery, breakdown: Breakdown, scope: QuestionScope): Promise<AnsweredValues> {
    const part = onlyCohorts(breakdown);
    if (part) return { known: part.cohorts.map((cohort) => [String(cohort)]), hasRest: false };
    const statement = frequentValuesSql(q, breakdown, scope);
    const found = (await this.questions.ask<{ value: string[] }>(scope, statement)).map(({ value }) => value);
    const hasRest = found.length > breakdown.limit;
    const known = found.slice(0, breakdown.limit);
    // A value named "Other" is merged with the other values, because an answer could not tell the two apart.
    return { known: hasRest ? known.filter((value) => !isOther(value)) : known, hasRest };
  }
}

const numberOfCells = (q: RetentionQuery): number =>
  q.buckets.starts.reduce((sum, _, row) => sum + cellsInRow(q, row), 0);

const numbersOf = (q: RetentionQuery, rows: readonly CellRow[]): Pick<RetentionDto, 'matrix' | 'rates' | 'mean'> => {
  const { mean } = q;
  const known = new Map(rows.map(({ start, later, actors }) => [`${start} ${later}`, actors]));
  const matrix = q.buckets.starts.map((_, start) =>
    Array.from({ length: cellsInRow(q, start) }, (_, later) => known.get(`${start} ${later}`) ?? 0),
  );
  return {
    matrix,
    rates: matrix.map((row) => row.map((count) => (row[0] ? count / row[0] : 0))),
    mean: mean === 'none' ? null : q.cells.map((_, later) => means[mean](matrix, later)),
  };
};

/** The share of persons who came back after `later` intervals, as the mean of all rows in which persons began. */
const means: Readonly<Record<'simple' | 'weighted', (matrix: readonly number[][], later: number) => number>> = {
  simple: (matrix, later) => {
    const rates = cellsAt(matrix, later).map(({ count, began }) => count / began);
    return rates.length === 0 ? 0 : sum(rates) / rates.length;
  },
  weighted: (matrix, later) => {
    const cells = cellsAt(matrix, later);
    return cells.length === 0 ? 0 : sum(cells.map(({ count }) => count)) / sum(cells.map(({ began }) => began));
  },
};

const cellsAt = (matrix: readonly number[][], later: number): { count: number; began: number }[] =>
  matrix.flatMap((row) => {
    const [count, began] = [row[later], row[0]];
    return count === undefined || !began ? [] : [{ count, began }];
  });

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
