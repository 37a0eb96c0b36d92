import { Injectable } from '@nestjs/common';
import { type KeysetSlice } from '../../common/pagination/cursor.js';
import { type ProjectContext } from '../../common/project-context.js';
import { ConnectionPlaces } from '../../stores/postgres/connection-places.js';
import { foldPersonCounts, maxSlots } from '../identity/person-counts.js';
import { type KeyFilter, type KeysetPosition, type PageRequest } from './persons-filter.js';
import { Postgres } from '../../stores/postgres/postgres.js';

interface PlaceRow {
  readonly micros: string | null;
  readonly id: string | null;
  readonly total: string;
  readonly slots: string;
}

interface Condition {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** What a wish means to PostgreSQL, for persons `p`. $1 is the project. */
export const keyCondition = ({ distinctIds, uuid, createdAfter, createdBefore }: KeyFilter): Condition => {
  const values: unknown[] = [];
  const parts = ['p.project_id = $1'];
  const demand = (value: unknown, part: (place: string) => string): void => {
    if (value === null) return;
    values.push(value);
    parts.push(part(`$${values.length + 1}`));
  };
  demand(
    distinctIds,
    (ids) =>
      `p.id IN (SELECT d.person_id FROM person_distinct_ids AS d WHERE d.project_id = $1 AND d.distinct_id = ANY (${ids}::text[]))`,
  );
  demand(uuid, (wanted) => `p.uuid = ${wanted}::uuid`);
  demand(createdAfter, (moment) => `p.created_at > ${moment}::timestamptz`);
  demand(createdBefore, (moment) => `p.created_at < ${moment}::timestamptz`);
  return { text: parts.join(' AND '), values };
};

const isAnyone = (keys: KeyFilter): boolean => Object.values(keys).every((value) => value === null);

/** Exact to the microsecond: an interval times a larger number would be rounded. */
const momentOf = (micros: string): string =>
  `(timestamptz 'epoch' + ${micros}::bigint / 1000000 * interval '1 second' + ${micros}::bigint % 1000000 * interval '1 microsecond')`;

/** A page of a hundred persons must not count all persons of the project. */
const totalOf = (keys: KeyFilter, condition: string): string =>
  isAnyone(keys)
    ? `SELECT coalesce(sum(c.persons), 0) AS total, count(*) AS slots FROM person_counts AS c WHERE c.project_id = $1`
    : `SELECT count(*) AS total, 0 AS slots FROM persons AS p WHERE ${condition}`;

/** Page and count in one statement, so that both see the same persons. */
const pageStatement = (keys: KeyFilter, { limit, offset, cursor }: PageRequest) => {
  const { text: condition, values } = keyCondition(keys);
  const given = [...values, limit + 1, cursor ? 0 : offset, ...(cursor?.key ?? [])];
  const at = (place: number): string => `$${values.length + 1 + place}`;
  const backwards = cursor?.direction === 'before';
  const order = backwards ? 'p.created_at, p.id' : 'p.created_at DESC, p.id DESC';
  const beyond = cursor
    ? ` AND (p.created_at, p.id) ${backwards ? '>' : '<'} (${momentOf(at(3))}, ${at(4)}::bigint)`
    : '';
  const text = `
    SELECT t.total, t.slots, page.id, (extract(epoch FROM page.created_at) * 1000000)::bigint AS micros
    FROM (${totalOf(keys, condition)}) AS t
    LEFT JOIN LATERAL (
      SELECT p.id, p.created_at FROM persons AS p WHERE ${condition}${beyond}
      ORDER BY ${order} LIMIT ${at(1)} OFFSET ${at(2)}
    ) AS page ON true
    ORDER BY ${order.replaceAll('p.', 'page.')}`;
  return { text, values: given };
};

/** Lists of persons by what PostgreSQL has an index for: they show every person the moment it is committed. */
@Injectable()
export class KeyPages {
  /** A page far behind the first is a long read. */
  private readonly places = new ConnectionPlaces(6, { alone: 4, crowded: 3 });

  constructor(private readonly postgres: Postgres) {}

  async page(project: ProjectContext, keys: KeyFilter, walk: PageRequest): Promise<KeysetSlice<KeysetPosition>> {
    const { text, values } = pageStatement(keys, walk);
    const { rows } = await this.places.during(project, () =>
      this.postgres.query<PlaceRow>(text, [project.id, ...values]),
    );
    if (Number(rows[0]?.slots ?? 0) > maxSlots) await foldPersonCounts(this.postgres, project.id);
    const found = rows.flatMap(({ id, micros }) => (id === null || micros === null ? [] : [{ id, micros }]));
    return { count: Number(rows[0]?.total ?? 0), found };
  }

  /** The persons that have one of the distinct ids. */
  async owners(project: ProjectContext, distinctIds: readonly string[]): Promise<string[]> {
    const { rows } = await this.postgres.query<{ person_id: string }>({
      name: 'persons-owners',
      text: `SELECT DISTINCT d.person_id FROM person_distinct_ids AS d WHERE d.project_id = $1 AND d.distinct_id = ANY ($2::text[])`,
      values: [project.id, distinctIds],
    });
    return rows.map(({ person_id }) => person_id);
  }
}
