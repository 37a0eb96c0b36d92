import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { groupActor, namedGroups } from '../../kernel/projection/named-groups.js';
import { propertyText } from '../../kernel/projection/schema/property.sql.js';
import { type PersonDto } from '../../persons/person.dto.js';
import { nameUuid } from '../../platform/values/ids.js';
import { type Sql, integer, list, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { Questions } from '../../filters/asking/questions.js';
import { groupOfType } from '../../filters/compile/compile.sql.js';
import { type QuestionScope } from './question-scopes.js';

/** A group behind an answer. It has the fields of a person as well. */
export interface InsightGroup extends PersonDto {
  readonly type: 'group';
  readonly group_type_index: number;
  readonly group_key: string;
  readonly group_properties: object;
}

/** The columns of groups that persons do not have. */
export const columnsOfGroups: readonly string[] = ['group_type_index', 'group_key'];

interface GroupRow {
  readonly actor: string;
  readonly id: number;
  readonly key: string;
  readonly properties: object;
  readonly created_at: Date;
}

/** Some `$groups` and the time of the first event of each actor without a row. */
const namesSql = (scope: QuestionScope, type: number, actors: readonly string[]): Sql => sql`
  SELECT toString(actor) AS actor, any(sent) AS sent, min(at) AS first_seen
  FROM (
    SELECT ${groupOfType(sql`e.groups`, type)} AS actor, e.timestamp AS at,
      ifNull(${propertyText(sql`e.properties`, '$groups')}, '') AS sent
    FROM events AS e WHERE e.project_id = ${unsigned(scope.projectId)})
  WHERE actor IN ${list(integer, actors.map(BigInt))}
  GROUP BY actor`;

/** The groups behind a number: ClickHouse selects the actors, PostgreSQL has the groups. */
@Injectable()
export class GroupActors {
  constructor(
    private readonly postgres: Postgres,
    private readonly questions: Questions,
  ) {}

  async of(scope: QuestionScope, type: number, actors: readonly string[]): Promise<Map<string, InsightGroup>> {
    const groups = await this.stored(scope.project, type, actors);
    const rest = actors.filter((actor) => !groups.has(actor));
    if (rest.length === 0) return groups;
    const named = await this.questions.ask<Unstored>(scope, namesSql(scope, type, rest));
    for (const { actor, sent, first_seen } of named) {
      const key = keyOf(scope.projectId, actor, sent);
      const row = { actor, id: shortened(actor), properties: {}, created_at: new Date(first_seen) };
      if (key !== null) groups.set(actor, insightGroup(type, { ...row, key }));
    }
    return groups;
  }

  private async stored(
    { id: projectId }: ProjectContext,
    type: number,
    actors: readonly string[],
  ): Promise<Map<string, InsightGroup>> {
    const { rows } = await this.postgres.query<GroupRow>(
      pgSql`
      SELECT g.actor::text, g.id::integer, g.key, g.properties, g.created_at
      FROM unnest(${bound(actors)}::bigint[]) AS requested (actor)
      CROSS JOIN LATERAL (
        SELECT * FROM groups WHERE project_id = ${bound(projectId)} AND actor = requested.actor LIMIT 1
      ) AS g`.named('groups-of-actors'),
    );
    return new Map(rows.map((row) => [row.actor, insightGroup(type, row)]));
  }
}

interface Unstored {
  readonly actor: string;
  readonly sent: string;
  readonly first_seen: string;
}

const insightGroup = (type: number, { actor, id, key, properties, created_at }: GroupRow): InsightGroup => {
  const { name } = properties as { readonly name?: unknown };
  return {
    type: 'group',
    id,
    group_type_index: type,
    group_key: key,
    group_properties: properties,
    name: typeof name === 'string' && name !== '' ? name : key,
    distinct_ids: [],
    distinct_id_count: 0,
    properties,
    created_at: created_at.toISOString(),
    uuid: nameUuid(namespace, actor),
    is_identified: false,
  };
};

/** Never change this constant: the uuid of a group stays the same. */
const namespace = Buffer.from('5d0e7b3c8a914f62b7c1d2e3f4a5b6c7', 'hex');

/** The id of a group without a row: a negative number that JSON represents exactly. */
const shortened = (actor: string): number => -Number(BigInt.asUintN(52, BigInt(actor))) - 1;

/** The key of the group among those that an event names. */
const keyOf = (projectId: number, actor: string, sent: string): string | null => {
  if (sent === '') return null;
  const { groups } = namedGroups({ $groups: JSON.parse(sent) });
  return groups.find((group) => groupActor(projectId, group) === actor)?.key ?? null;
};
