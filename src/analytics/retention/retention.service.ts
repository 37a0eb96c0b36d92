import { Injectable } from '@nestjs/common';
import { type Answer } from '../shared/insight-responder.js';
import { insightHead } from '../shared/common.parameters.js';
import { type AskedQuestion, Questions } from '../../filters/asking/questions.js';
import { type ActorRow } from '../shared/actor-pages.js';
import { type QuestionScope, QuestionScopes } from '../shared/question-scopes.js';
import { type RetentionDto } from './retention.dto.js';
import { filtersOfRetention, readRetention, type RetentionQuery } from './retention.query.js';
import { mostAppearances, retentionActorsSql, retentionSql } from './retention.sql.js';

interface Cell {
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
  ) {}

  async ask({ project, params, now, signal }: AskedQuestion): Promise<Answer<Appearing>> {
    const q = await this.scopes.read(readRetention, { project, params, now });
    const scope = await this.scopes.open(project, filtersOfRetention(q), now, signal, q);
    return {
      scope,
      entities: [q.target, q.returning],
      insight: () => this.insight(q, scope),
      persons: {
        list: { actors: retentionActorsSql(q, scope), order: mostAppearances },
        extra: ({ appearances }) => ({ appearances }),
        columns: ['appearances'],
      },
    };
  }

  private async insight(q: RetentionQuery, scope: QuestionScope): Promise<RetentionDto> {
    const cells = await this.questions.ask<Cell>(scope, retentionSql(q, scope));
    const { mean } = q;
    const { starts, end, labels } = q.buckets;
    const known = new Map(cells.map(({ start, later, actors }) => [`${start} ${later}`, actors]));
    const matrix = starts.map((_, start) =>
      Array.from({ length: starts.length - start }, (_, later) => known.get(`${start} ${later}`) ?? 0),
    );
    return {
      kind: 'retention',
      ...insightHead(scope, { from: starts[0] ?? end, to: new Date(end.getTime() - 1) }),
      interval: q.interval,
      labels: starts.map((_, at) => `${q.period} ${at}`),
      dates: [...labels],
      matrix,
      rates: matrix.map((row) => row.map((count) => (row[0] ? count / row[0] : 0))),
      mean: mean === 'none' ? null : starts.map((_, later) => means[mean](matrix, later)),
    };
  }
}

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
