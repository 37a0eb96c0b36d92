import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type JsonObject } from '../../kernel/event-log/normalise/json.js';
import { groupsOf } from '../../kernel/event-log/normalise/group-changes.js';
import { requireGroup } from '../../kernel/groups/stored-groups.js';
import { PersonProperties } from '../../kernel/identity/person-properties.js';
import { withProperties } from '../../kernel/projection/blocks/block-properties.js';
import { Projection } from '../../kernel/projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { type PageQuery, type Slice } from '../../platform/http/page.dto.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { describingEventsSql } from './describing-events.sql.js';
import { type GroupChangeDto } from './group-history.dto.js';

export const maxDescribingEvents = 5000;
const eventsAtOnce = 250;
/** The texts of the changes that are in memory together. */
const maxCharacters = 32 * 1024 * 1024;

interface DescribingEvent {
  readonly uuid: string;
  readonly timestamp: Date;
  readonly received_at: Date;
  readonly properties: JsonObject;
}

/** Shows how the properties of a group changed, by replaying the events that describe it. */
@Injectable()
export class GroupHistoryService {
  constructor(
    private readonly postgres: Postgres,
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
  ) {}

  async list(
    project: ProjectContext,
    id: string,
    { limit, offset }: PageQuery,
    now: Date,
  ): Promise<Slice<GroupChangeDto>> {
    const group = await requireGroup(this.postgres, project.id, id);
    await this.projection.waitUntilFresh(project.id, now);
    const statement = describingEventsSql(project.id, group, maxDescribingEvents + 1);
    const rows = await this.clickhouse.query<{ uuid: string }>(statement, { project });
    if (rows.length > maxDescribingEvents) throw tooLong();
    const changes = await this.replay(
      project.id,
      rows.map(({ uuid }) => uuid),
    );
    return { count: changes.length, results: changes.reverse().slice(offset, offset + limit) };
  }

  private async replay(projectId: number, uuids: readonly string[]): Promise<GroupChangeDto[]> {
    const replayed: GroupChangeDto[] = [];
    let properties: Readonly<Record<string, unknown>> = {};
    let characters = 0;
    for (let from = 0; from < uuids.length; from += eventsAtOnce) {
      for (const event of await this.read(projectId, uuids.slice(from, from + eventsAtOnce))) {
        const { groupChange } = groupsOf('$groupidentify', event.properties);
        if (groupChange === null) continue;
        const after = new PersonProperties(properties);
        after.apply(groupChange);
        if (!after.isChanged) continue;
        const change = changeBy(event, properties, after);
        characters += JSON.stringify(change).length;
        if (characters > maxCharacters) throw tooLong();
        replayed.push(change);
        properties = after.toObject();
      }
    }
    return replayed;
  }

  /** Reads events in the order of the uuids. */
  private async read(projectId: number, uuids: readonly string[]): Promise<DescribingEvent[]> {
    const { rows } = await this.postgres.query<
      Omit<DescribingEvent, 'properties'> & { properties: JsonObject | null; block: string | null }
    >(pgSql`
      SELECT e.uuid, e.timestamp, e.received_at, e.properties, e.block
      FROM unnest(${bound(uuids)}::uuid[]) WITH ORDINALITY AS requested (uuid, position)
      CROSS JOIN LATERAL (
        SELECT * FROM events WHERE project_id = ${bound(projectId)} AND uuid = requested.uuid LIMIT 1
      ) AS e
      ORDER BY requested.position`);
    return withProperties(this.postgres, projectId, rows);
  }
}

const changeBy = (
  { uuid, timestamp, received_at }: DescribingEvent,
  stored: Readonly<Record<string, unknown>>,
  properties: PersonProperties,
): GroupChangeDto => {
  const { changed, removed } = properties.patch();
  const before = (key: string) => (Object.hasOwn(stored, key) ? stored[key] : null);
  return {
    uuid,
    timestamp: timestamp.toISOString(),
    received_at: received_at.toISOString(),
    changes: [
      ...Object.entries(changed).map(([key, after]) => ({ key, before: before(key), after })),
      ...removed.map((key) => ({ key, before: before(key), after: null })),
    ],
  };
};

const tooLong = () =>
  invalidInput(`the group has more than ${maxDescribingEvents} events that describe it, or too large ones`);
