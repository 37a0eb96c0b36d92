import { Injectable } from '@nestjs/common';
import { type Cursor, type KeysetSlice, decodeCursor } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type DistinctIdDto, type DistinctIdsQuery } from './distinct-id.dto.js';
import { PersonsRepository, looksGenerated } from './persons.repository.js';
import { type PersonRef } from '../../kernel/identity/person-ref.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

export interface DistinctIdPosition {
  readonly distinct_id: string;
  readonly position: string;
}

export const toDistinctIdDto = ({ distinct_id }: DistinctIdPosition): DistinctIdDto => ({
  distinct_id,
  looks_generated: looksGenerated(distinct_id),
});

const isPosition = (key: readonly string[]): boolean => key.length === 1 && /^\d{1,18}$/.test(key[0] ?? '');

interface Stretch {
  readonly cursor: Cursor | null;
  readonly limit: number;
  readonly offset: number;
}

const pageOf = (project: ProjectContext, id: number, { cursor, limit, offset }: Stretch): PgSql => {
  const backwards = cursor?.direction === 'before';
  const position = pgSql`${bound(cursor?.key[0])}::bigint`;
  const beyond = backwards ? pgSql`AND position < ${position}` : pgSql`AND position > ${position}`;
  return pgSql`
    SELECT distinct_id, position FROM person_distinct_ids
    WHERE project_id = ${bound(project.id)} AND person_id = ${bound(id)}::bigint ${cursor ? beyond : pgSql``}
    ORDER BY position ${backwards ? pgSql`DESC` : pgSql`ASC`} LIMIT ${bound(limit)} OFFSET ${bound(offset)}`;
};

const idsPerStep = 5000;

/** Lists all distinct ids of a person, in the order they were added. */
@Injectable()
export class DistinctIds {
  constructor(
    private readonly postgres: Postgres,
    private readonly persons: PersonsRepository,
  ) {}

  cursorOf({ cursor }: DistinctIdsQuery): Cursor | null {
    return decodeCursor(cursor, isPosition);
  }

  async page(
    project: ProjectContext,
    ref: PersonRef,
    { limit, offset }: DistinctIdsQuery,
    cursor: Cursor | null,
  ): Promise<KeysetSlice<DistinctIdPosition>> {
    const { id, distinct_id_count: count } = await this.persons.get(project, ref);
    return {
      count,
      records: await this.positions(project, id, { cursor, limit: limit + 1, offset: cursor ? 0 : offset }),
    };
  }

  /** Checks that the person exists before it returns the generator, which may then be read at any pace. */
  async all(project: ProjectContext, ref: PersonRef): Promise<AsyncGenerator<DistinctIdDto>> {
    const { id } = await this.persons.get(project, ref);
    return this.walk(project, id);
  }

  private async *walk(project: ProjectContext, id: number): AsyncGenerator<DistinctIdDto> {
    let cursor: Cursor | null = null;
    for (;;) {
      const positions: DistinctIdPosition[] = await this.positions(project, id, {
        cursor,
        limit: idsPerStep,
        offset: 0,
      });
      yield* positions.map(toDistinctIdDto);
      const last = positions.at(-1);
      if (positions.length < idsPerStep || !last) return;
      cursor = { direction: 'after', key: [last.position] };
    }
  }

  private async positions(project: ProjectContext, id: number, stretch: Stretch): Promise<DistinctIdPosition[]> {
    const { rows } = await this.postgres.query<DistinctIdPosition>(pageOf(project, id, stretch));
    return rows;
  }
}
