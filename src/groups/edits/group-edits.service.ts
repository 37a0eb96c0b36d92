import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type ActivityChange, recordActivity } from '../../kernel/activity/record-activity.js';
import { type Author } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { loggable, writeEvents } from '../../kernel/event-log/event-log.js';
import { readEditProperties } from '../../kernel/event-log/normalise/edited-properties.js';
import { applyGroups, type GroupChange } from '../../kernel/groups/apply-groups.js';
import { type GroupName, groupActor, maxGroupTypes } from '../../kernel/projection/named-groups.js';
import { DeletionRecorder, mostSelected, type SelectedPart } from '../../kernel/deletions/deletion-recorder.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { type Uuids } from '../../platform/clickhouse/uuid-lines.js';
import { mentionsSql } from './mentions.sql.js';
import { deleteGroup, lockGroup, requireGroup } from '../../kernel/groups/stored-groups.js';
import { PersonProperties, maxPersonPropertiesBytes } from '../../kernel/identity/person-properties.js';
import { MovedMembers } from '../../kernel/memberships/moved-members.js';
import { recordDeleted } from '../../kernel/memberships/record-members.js';
import { enqueue } from '../../kernel/projection/outbox/outbox.js';
import { Projection } from '../../kernel/projection/projection.js';
import { conflict, invalidInput, required } from '../../platform/errors/problem.js';
import { isPostgresUnavailable } from '../../platform/errors/store-errors.js';
import { assertUnchanged } from '../../platform/http/read-only-fields.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { Permits } from '../../platform/work/permits.js';
import { type GroupDto } from '../group.dto.js';
import { GroupsRepository, toGroupDto } from '../reading/groups.repository.js';
import { type CreateGroupBody, type DeleteGroupQuery, type UpdateGroupBody } from './group-edits.dto.js';
import { groupEvent, operatorsOf } from './group-event.js';

/**
 * Makes, changes and deletes groups by hand. Properties are changed by an event in the log like those of SDKs, so that the log
 * has the whole history; the group, the event and the activity entry are committed together.
 */
@Injectable()
export class GroupEditsService {
  /** Edits of a group are made one at a time: dozens that wait for its row lock would leave no connection for other work. */
  private readonly permits = new Permits(
    { group: 1 },
    { mostWaiting: Infinity, failsWaiting: (error) => error instanceof Error && isPostgresUnavailable(error) },
  );

  constructor(
    private readonly postgres: Postgres,
    private readonly groups: GroupsRepository,
    private readonly projection: Projection,
    private readonly members: MovedMembers,
    private readonly clickhouse: ClickHouse,
    private readonly deletions: DeletionRecorder,
  ) {}

  async create(project: ProjectContext, body: CreateGroupBody, author: Author): Promise<GroupDto> {
    const group = await this.nameOf(project, body);
    const sent = readEditProperties(body.group_properties ?? {}, 'group_properties');
    const made = await this.postgres.transaction((client) => this.make(client, project, group, sent, author), {
      repeat: true,
    });
    this.projection.wake();
    return made;
  }

  async update(project: ProjectContext, id: string, body: UpdateGroupBody, author: Author): Promise<GroupDto> {
    const [attr, sent] = propertiesIn(body);
    const edit = { attr, operators: operatorsOf(sent) };
    const changed = await this.permits.during({ group: `${project.id} ${id}` }, () =>
      this.postgres.transaction((client) => this.change(client, project, id, { ...edit, body }, author), {
        repeat: true,
      }),
    );
    this.projection.wake();
    return changed;
  }

  /** Returns the path of the receipt. */
  async remove(
    project: ProjectContext,
    id: string,
    { delete_mentions: deleteMentions }: DeleteGroupQuery,
    author: Author,
  ): Promise<string> {
    const receivedUpTo = this.deletions.upTo(author.now);
    const selections = deleteMentions ? await this.mentionsOf(project, id, receivedUpTo, author.now) : [];
    const request = await this.postgres.transaction(
      async (client) => {
        const { actor, type } = await lockGroup(client, project.id, id);
        await deleteGroup(client, project.id, actor);
        await enqueue(client, project.id, [{ kind: 'groups', refs: [actor] }], author.now);
        await recordActivity(client, project, entry(id, type, 'deleted', [change(null, 'deleted')]), author);
        await recordDeleted(client, project.id, [String(BigInt(id))], 'groups');
        const deletion = { kind: 'group', criteria: { group_id: Number(id) }, receivedUpTo, selections } as const;
        return this.deletions.requestSelected(client, project, deletion, author);
      },
      { repeat: true },
    );
    this.projection.wake();
    await this.deletions.untilLaterEvents(receivedUpTo);
    return `/api/projects/${project.id}/deletion_requests/${request.id}`;
  }

  /** Selects, in ClickHouse, the events that describe or name a group: the former are removed, the others lose its key. */
  private async mentionsOf(
    project: ProjectContext,
    id: string,
    receivedUpTo: Date,
    now: Date,
  ): Promise<readonly SelectedPart[]> {
    const group = await requireGroup(this.postgres, project.id, id);
    await this.projection.waitUntilComplete(project.id, now);
    const select = async (which: 'describing' | 'naming'): Promise<Uuids> => {
      const most = mostSelected + 1;
      const statement = mentionsSql(project.id, group, which, { receivedUpTo, most });
      const uuids = await this.clickhouse.uuids(statement, { project, maxResultRows: most });
      if (uuids.length === most)
        throw invalidInput(
          `delete_mentions is for groups of at most ${mostSelected} events: delete its events by deletion_requests first`,
          'delete_mentions',
        );
      return uuids;
    };
    return [
      { uuids: await select('describing'), scrub: null },
      { uuids: await select('naming'), scrub: { group: { type: group.type, key: group.key } } },
    ];
  }

  private async nameOf(project: ProjectContext, body: CreateGroupBody): Promise<GroupName> {
    const { group_type: type = null, group_type_index: index = null, group_key: key } = body;
    if (type !== null && index !== null)
      throw invalidInput('Send either group_type or group_type_index, not both', 'group_type');
    if (type !== null) return { type, key };
    if (index === null) throw required('group_type_index', 'or the name of a type in group_type');
    const known = (await this.groups.types(project)).find(({ group_type_index: at }) => at === index);
    if (!known) throw invalidInput(`group_type_index ${index} is that of no type`, 'group_type_index');
    return { type: known.name, key };
  }

  private async make(
    client: ClientBase,
    project: ProjectContext,
    group: GroupName,
    sent: Readonly<Record<string, unknown>>,
    author: Author,
  ): Promise<GroupDto> {
    const event = groupEvent(group, operatorsOf(sent), { now: author.now, attr: 'group_properties' });
    if (!event.groupChange) throw invalidInput('the group has no valid type and key', 'group_key');
    appliedTo({}, event.groupChange, 'group_properties');
    const actor = groupActor(project.id, group);
    // The group is made before its event, because only who makes it may set its first properties.
    const { changed, warnings } = await applyGroups(
      client,
      project.id,
      [{ ...event, groupChange: null, groups: [group] }],
      author.now,
    );
    if (warnings.length > 0)
      throw invalidInput(
        `a project has at most ${maxGroupTypes} types of groups, and this one has as many`,
        'group_type',
      );
    if (!changed.includes(actor))
      throw conflict(`there is a group of this type with the key ${group.key}`, 'group_key');
    await writeEvents(client, project.id, [loggable(event)], author.now, this.members);
    await enqueue(client, project.id, [{ kind: 'groups', refs: [actor] }], author.now);
    const made = (await this.groups.withActors(project, [actor], client)).get(actor);
    if (!made) throw new Error('the group that was made is not there');
    const id = String(made.id);
    await recordActivity(client, project, entry(id, group.type, 'created', [change(null, 'created')]), author);
    return made;
  }

  private async change(
    client: ClientBase,
    project: ProjectContext,
    id: string,
    { attr, operators, body }: Edit,
    author: Author,
  ): Promise<GroupDto> {
    const group = await lockGroup(client, project.id, id);
    assertUnchanged(body, toGroupDto(group));
    const event = groupEvent(group, operators, { now: author.now, attr });
    if (!event.groupChange) throw invalidInput('the properties cannot be read', attr);
    const { changed, removed } = appliedTo(group.properties, event.groupChange, attr).patch();
    const changes = [
      ...Object.keys(changed).map((key) => change(key, Object.hasOwn(group.properties, key) ? 'changed' : 'created')),
      ...removed.map((key) => change(key, 'deleted')),
    ];
    if (changes.length === 0) return toGroupDto(group);
    await writeEvents(client, project.id, [loggable(event)], author.now, this.members);
    await recordActivity(client, project, entry(id, group.type, 'updated', changes), author);
    return this.groups.get(project, id, client);
  }
}

interface Edit {
  /** The field that an error names. */
  readonly attr: string;
  readonly operators: ReturnType<typeof operatorsOf>;
  /** The body, which may have the record as the caller read it. */
  readonly body: UpdateGroupBody;
}

const propertiesIn = ({ group_properties: ofGroup, properties }: UpdateGroupBody) => {
  if (ofGroup !== undefined && properties !== undefined)
    throw invalidInput('Send either group_properties or properties, not both', 'properties');
  const [attr, sent] = properties === undefined ? ['group_properties', ofGroup] : ['properties', properties];
  return [attr, readEditProperties(sent, attr)] as const;
};

const appliedTo = (
  stored: Readonly<Record<string, unknown>>,
  groupChange: GroupChange,
  attr: string,
): PersonProperties => {
  const properties = new PersonProperties(stored);
  if (properties.apply(groupChange)) return properties;
  throw invalidInput(`the group's properties would exceed ${maxPersonPropertiesBytes} bytes`, attr);
};

/** Has keys without values, because the activity log outlives the group. */
const change = (field: string | null, action: ActivityChange['action']): ActivityChange => ({
  type: 'Group',
  action,
  field,
  before: null,
  after: null,
});

const entry = (id: string, type: string, activity: string, changes: readonly ActivityChange[]) => ({
  scope: 'Group' as const,
  itemId: id,
  activity,
  name: type,
  changes,
});
