import { matchesEvent } from '../../filters/compile/event-match.sql.js';
import { join, sql, type Sql } from '../../platform/clickhouse/sql.js';
import { areNamesOnly, type Entity } from './entity.js';
import { questionFilterScope, type QuestionScope } from './question-scopes.js';

/** True if the event `e` matches the entity. */
export const matchesEntity = ({ parts }: Entity, scope: QuestionScope): Sql =>
  matchesEvent(parts, questionFilterScope(scope));

/** True if the event `e`, already restricted to the names of the entities, matches one of them; null: always. */
export const matchesAny = (entities: readonly Entity[], scope: QuestionScope): Sql | null =>
  areNamesOnly(entities)
    ? null
    : sql`(${join(
        entities.map((entity) => matchesEntity(entity, scope)),
        sql` OR `,
      )})`;
