import { filterSql } from '../../filters/compile.sql.js';
import { isEverything } from '../../filters/filter.js';
import { join, sql, type Sql } from '../../stores/clickhouse/sql.js';
import { text } from '../../stores/clickhouse/values.js';
import { areNamesOnly, type Entity, type EntityPart } from './entity.js';
import { questionFilterScope, type QuestionScope } from './question-scope.js';

/** Whether the event `e` matches the entity. */
export const matchesEntity = ({ parts }: Entity, scope: QuestionScope): Sql =>
  parts.length === 1 && parts[0]
    ? matchesPart(parts[0], scope)
    : sql`(${join(
        parts.map((part) => matchesPart(part, scope)),
        sql` OR `,
      )})`;

/** Whether the event `e`, already restricted to the names of the entities, matches one of them; null: always. */
export const matchesAny = (entities: readonly Entity[], scope: QuestionScope): Sql | null =>
  areNamesOnly(entities)
    ? null
    : sql`(${join(
        entities.map((entity) => matchesEntity(entity, scope)),
        sql` OR `,
      )})`;

const matchesPart = ({ event, filter }: EntityPart, scope: QuestionScope): Sql => {
  const named = event === null ? null : sql`e.event = ${text(event)}`;
  if (isEverything(filter)) return named ?? sql`true`;
  const passes = filterSql(filter, questionFilterScope(scope));
  return named ? sql`(${named} AND ${passes})` : sql`(${passes})`;
};
