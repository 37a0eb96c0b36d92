import { Injectable } from '@nestjs/common';
import { groupUuid } from '../../kernel/groups/group-uuid.js';
import { type GroupName, groupActor, namedGroups } from '../../kernel/projection/named-groups.js';
import { propertyText } from '../../kernel/projection/schema/property.sql.js';
import { type GroupDto } from '../../groups/group.dto.js';
import { GroupsRepository, toGroupDto } from '../../groups/reading/groups.repository.js';
import { type PersonDto } from '../../persons/person.dto.js';
import { type Sql, integer, list, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { Questions } from '../../filters/asking/questions.js';
import { groupOfType } from '../../filters/compile/compile.sql.js';
import { type QuestionScope } from './question-scopes.js';

/** A group behind an answer. It has the fields of a person as well. */
export interface InsightGroup extends PersonDto, GroupDto {
  readonly type: 'group';
}

/** The columns of groups that persons do not have. */
export const columnsOfGroups: readonly string[] = ['group_type_index', 'group_key'];

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
    private readonly groups: GroupsRepository,
    private readonly questions: Questions,
  ) {}

  async of(scope: QuestionScope, type: number, actors: readonly string[]): Promise<Map<string, InsightGroup>> {
    const stored = await this.groups.withActors(scope.project, actors);
    const groups = new Map([...stored].map(([actor, group]) => [actor, insightGroup(actor, group)]));
    const rest = actors.filter((actor) => !groups.has(actor));
    if (rest.length === 0) return groups;
    const named = await this.questions.ask<Unstored>(scope, namesSql(scope, type, rest));
    for (const { actor, sent, first_seen } of named) {
      const group = groupNamed(scope.projectId, actor, sent);
      if (group === null) continue;
      const row = { ...group, id: shortened(actor), actor, group_type_index: type, properties: {} };
      groups.set(actor, insightGroup(actor, toGroupDto({ ...row, created_at: new Date(first_seen) })));
    }
    return groups;
  }
}

interface Unstored {
  readonly actor: string;
  readonly sent: string;
  readonly first_seen: string;
}

const insightGroup = (actor: string, group: GroupDto): InsightGroup => ({
  ...group,
  type: 'group',
  distinct_ids: [],
  distinct_id_count: 0,
  properties: group.group_properties,
  uuid: groupUuid(actor),
  is_identified: false,
});

/** The id of a group without a row: a negative number that JSON represents exactly. */
const shortened = (actor: string): string => String(-BigInt.asUintN(52, BigInt(actor)) - 1n);

/** The group among those that an event names. */
const groupNamed = (projectId: number, actor: string, sent: string): GroupName | null => {
  if (sent === '') return null;
  const { groups } = namedGroups({ $groups: JSON.parse(sent) });
  return groups.find((group) => groupActor(projectId, group) === actor) ?? null;
};
