import { Injectable } from '@nestjs/common';
import { type KeysetSlice } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { connectionSlots } from '../../platform/postgres/connection.js';
import { isUuid } from '../../platform/values/ids.js';
import { searchedDistinctIds } from '../../kernel/projection/search-text.js';
import { foldPersonCounts, maxSlots } from '../../kernel/identity/write.js';
import { type KeysetPosition, type PageRequest } from '../../platform/http/newest-first.js';
import { microsOf, momentOfMicros } from '../../platform/postgres/micros.js';
import { type KeyFilter } from './persons.query.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, joinedSql, pgSql, type PgSql } from '../../platform/postgres/sql.js';

interface PageRow {
  /**
   * Pairs of id and microseconds in one text, because the driver would spend most of its time on a row for each pair, or on an
   * array.
   */
  readonly places: string | null;
  readonly total: string;
  readonly slots: string;
}

const positionsOf = (text: string | null): KeysetPosition[] =>
  text === null
    ? []
    : text.split(',').map((pair) => {
        const [id = '', micros = ''] = pair.split(' ');
        return { id, micros };
      });

/** Translates a key filter into a condition on the persons `p` of a project. */
export const keyCondition = (
  { id }: ProjectContext,
  { distinctIds, uuid, createdAfter, createdBefore }: KeyFilter,
): PgSql => {
  const project = bound(id);
  const parts = [pgSql`p.project_id = ${project}`];
  if (distinctIds !== null)
    parts.push(pgSql`p.id IN (
      SELECT d.person_id FROM person_distinct_ids AS d
      WHERE d.project_id = ${project} AND d.distinct_id = ANY (${bound(distinctIds)}::text[]))`);
  if (uuid !== null) parts.push(pgSql`p.uuid = ${bound(uuid)}::uuid`);
  if (createdAfter !== null) parts.push(pgSql`p.created_at > ${bound(createdAfter)}::timestamptz`);
  if (createdBefore !== null) parts.push(pgSql`p.created_at < ${bound(createdBefore)}::timestamptz`);
  return joinedSql(parts, pgSql` AND `);
};

const isAnyone = (keys: KeyFilter): boolean => Object.values(keys).every((value) => value === null);

/**
 * Without a filter, adds up the stored counts, so that a page of a hundred persons does not require counting all of the project.
 */
const totalOf = ({ id }: ProjectContext, keys: KeyFilter, condition: PgSql): PgSql =>
  isAnyone(keys)
    ? pgSql`
        SELECT coalesce(sum(c.persons), 0) AS total, count(*) AS slots
        FROM person_counts AS c WHERE c.project_id = ${bound(id)}`
    : pgSql`SELECT count(*) AS total, 0 AS slots FROM persons AS p WHERE ${condition}`;

const forwards = {
  persons: pgSql`p.created_at DESC, p.id DESC`,
  page: pgSql`page.created_at DESC, page.id DESC`,
  beyond: pgSql`<`,
};
const backwards = {
  persons: pgSql`p.created_at, p.id`,
  page: pgSql`page.created_at, page.id`,
  beyond: pgSql`>`,
};

/** Reads page and count in one statement, so that both see the same persons. */
const pageStatement = (project: ProjectContext, keys: KeyFilter, { limit, offset, cursor }: PageRequest): PgSql => {
  const condition = keyCondition(project, keys);
  const order = cursor?.direction === 'before' ? backwards : forwards;
  const beyond = cursor
    ? pgSql` AND (p.created_at, p.id) ${order.beyond} (${momentOfMicros(cursor.key[0])}, ${bound(cursor.key[1])}::bigint)`
    : pgSql``;
  return pgSql`
    SELECT t.total, t.slots, (
      SELECT string_agg(page.id || ' ' || ${microsOf(pgSql`page.created_at`)}, ',' ORDER BY ${order.page})
      FROM (
        SELECT p.id, p.created_at FROM persons AS p WHERE ${condition}${beyond}
        ORDER BY ${order.persons} LIMIT ${bound(limit + 1)} OFFSET ${bound(cursor ? 0 : offset)}
      ) AS page
    ) AS places
    FROM (${totalOf(project, keys, condition)}) AS t`;
};

/** Lists persons by the keys that PostgreSQL has indexes for. A person appears as soon as its transaction is committed. */
@Injectable()
export class KeyPages {
  /** Limits the pages read at the same time, because a page far from the start takes long. */
  private readonly inSlot = connectionSlots(6, { alone: 4, crowded: 3 });

  constructor(private readonly postgres: Postgres) {}

  async page(project: ProjectContext, keys: KeyFilter, request: PageRequest): Promise<KeysetSlice<KeysetPosition>> {
    const statement = pageStatement(project, keys, request);
    const { rows } = await this.inSlot(project, () => this.postgres.query<PageRow>(statement));
    const { places, total, slots } = rows[0] as PageRow;
    if (Number(slots) > maxSlots) await foldPersonCounts(this.postgres, project.id);
    return { count: Number(total), records: positionsOf(places) };
  }

  /** Returns the persons that have one of the distinct ids. */
  async owners(project: ProjectContext, distinctIds: readonly string[]): Promise<string[]> {
    const { rows } = await this.postgres.query<{ person_id: string }>(
      pgSql`
        SELECT DISTINCT d.person_id FROM person_distinct_ids AS d
        WHERE d.project_id = ${bound(project.id)} AND d.distinct_id = ANY (${bound(distinctIds)}::text[])`.named(
        'persons-owners',
      ),
    );
    return rows.map(({ person_id }) => person_id);
  }

  /**
   * Returns the person whose uuid is the term, or who has the term among so many distinct ids that ClickHouse does not search
   * them.
   */
  async found(project: ProjectContext, term: string): Promise<string[]> {
    const { rows } = await this.postgres.query<{ person_id: string }>(
      isUuid(term)
        ? pgSql`${byManyIds(project, term)} UNION ${byUuid(project, term)}`.named('persons-found-by-uuid')
        : byManyIds(project, term).named('persons-found'),
    );
    return rows.map(({ person_id }) => person_id);
  }
}

const byManyIds = ({ id }: ProjectContext, distinctId: string): PgSql => pgSql`
  SELECT d.person_id FROM person_distinct_ids AS d
  WHERE d.project_id = ${bound(id)} AND d.distinct_id = ${bound(distinctId)} AND EXISTS (
    SELECT FROM person_distinct_ids AS other
    WHERE other.project_id = ${bound(id)} AND other.person_id = d.person_id
    OFFSET ${bound(searchedDistinctIds)} LIMIT 1)`;

const byUuid = ({ id }: ProjectContext, uuid: string): PgSql =>
  pgSql`SELECT p.id AS person_id FROM persons AS p WHERE p.project_id = ${bound(id)} AND p.uuid = ${bound(uuid)}::uuid`;
