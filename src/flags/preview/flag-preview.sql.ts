import { type CohortMemberships, type FilterScope, filterSql } from '../../filters/compile/compile.sql.js';
import { type Sql, integer, join, sql, text, unsigned } from '../../platform/clickhouse/sql.js';
import { largest } from '../evaluation/bucketing.js';
import { type Rules, type Variant } from '../definition/rules.js';

/** A row has these in place of the index of a condition or of a variant. */
export const [off, heldOut] = [-1, -2];

/** SDKs generate ids of this shape; a person is better known by another one. */
const generated = '^[a-z0-9]+(-[a-z0-9]+){4}$';

export interface PreviewScope {
  readonly projectId: number;
  readonly timezone: string;
  readonly now: Date;
  readonly cohorts: CohortMemberships;
}

/** Persons or groups that are counted, and the id by which percentages are decided. */
interface Subjects {
  readonly id: Sql;
  readonly from: Sql;
  readonly row: Pick<FilterScope, 'actor' | 'person' | 'group'>;
}

const subjectsOf = (groupType: number | null, projectId: number): Subjects =>
  groupType === null
    ? {
        id: sql`coalesce(nullIf(arrayFirst(id -> NOT match(id, ${text(generated)}), p.distinct_ids), ''), p.distinct_ids[1])`,
        from: sql`persons AS p FINAL WHERE p.project_id = ${unsigned(projectId)}`,
        row: { actor: sql`p.id`, person: { properties: sql`p.properties` } },
      }
    : {
        id: sql`g.key`,
        from: sql`groups AS g FINAL WHERE g.project_id = ${unsigned(projectId)} AND g.group_type_index = ${unsigned(groupType)}`,
        row: { actor: sql`g.actor`, person: null, group: { key: sql`g.key`, properties: sql`g.properties` } },
      };

/** The number of `shareOf` before it is divided, rounded to a double as there. */
const drawn = (prefix: string, id: Sql, suffix = ''): Sql =>
  sql`toFloat64(bitShiftRight(reinterpretAsUInt64(reverse(substring(SHA1(concat(${text(prefix)}, ${id}, ${text(suffix)})), 1, 8))), 4))`;

/** A whole number, so that the engine need not read a fraction as exactly as JavaScript does. */
const bound = (share: number, round: (value: number) => number): Sql =>
  sql`toFloat64(${unsigned(BigInt(round(share * largest)))})`;

const within = (draw: Sql, percentage: number): Sql =>
  percentage >= 100 ? sql`true` : sql`${draw} <= ${bound(percentage / 100, Math.floor)}`;

const chosen = (pairs: readonly (readonly [when: Sql, then: Sql])[], otherwise: Sql): Sql =>
  pairs.length === 0 ? otherwise : sql`multiIf(${join(pairs.flat(), sql`, `)}, ${otherwise})`;

const variantSql = (variants: readonly Variant[]): Sql => {
  let from = 0;
  const pairs = variants.map(({ rollout_percentage: percentage }, at) => {
    const until = from + percentage / 100;
    const is = sql`variant_draw >= ${bound(from, Math.ceil)} AND variant_draw < ${bound(until, Math.ceil)}`;
    from = until;
    return [is, sql`${integer(at)}`] as const;
  });
  return chosen(pairs, sql`${integer(variants.length)}`);
};

/**
 * Counts all persons, or all groups of the type that the flag is about, by the condition that decides and by what they get: the
 * same as `decideFlag`, for a request that names no other group. `matched` has for each condition how many match its filters.
 */
export const flagPreviewSql = (
  key: string,
  { conditions, variants, earlyExit, holdout, groupType }: Rules,
  { projectId, timezone, now, cohorts }: PreviewScope,
): Sql => {
  const { id, from, row } = subjectsOf(groupType, projectId);
  const scope: FilterScope = { projectId, timezone, now, cohorts, event: null, ...row };
  const matches = conditions.map((condition) =>
    condition.groupType === groupType ? filterSql(condition.filter, scope) : sql`false`,
  );
  const matched = (at: number): Sql => sql`matches[${unsigned(at + 1)}]`;
  const held = holdout
    ? [[within(sql`holdout_draw`, holdout.exclusion_percentage), sql`${integer(heldOut)}`] as const]
    : [];
  const decided = conditions.map(({ percentage }, at) => {
    const isIn = within(sql`draw`, percentage);
    return earlyExit
      ? ([matched(at), sql`if(${isIn}, ${integer(at)}, ${integer(off)})`] as const)
      : ([sql`${matched(at)} AND ${isIn}`, sql`${integer(at)}`] as const);
  });
  const given = conditions.flatMap(({ variant }, at) =>
    variant === null
      ? []
      : [
          [
            sql`decided = ${integer(at)}`,
            sql`${integer(variants.findIndex(({ key: one }) => one === variant))}`,
          ] as const,
        ],
  );
  return sql`
  SELECT decided, value, count() AS count, sumForEach(matches) AS matched
  FROM (
    SELECT matches, ${chosen([...held, ...decided], sql`${integer(off)}`)} AS decided,
      ${chosen([[sql`decided < 0`, sql`decided`], ...given], variantSql(variants))} AS value
    FROM (
      SELECT ${id} AS id, [${join(
        [...matches, sql`false`].map((match) => sql`toUInt8(${match})`),
        sql`, `,
      )}] AS matches, ${drawn(`${key}.`, sql`id`)} AS draw, ${drawn(`${key}.`, sql`id`, 'variant')} AS variant_draw,
        ${drawn('holdout-', sql`id`)} AS holdout_draw
      FROM ${from}
    )
  )
  GROUP BY decided, value`;
};
