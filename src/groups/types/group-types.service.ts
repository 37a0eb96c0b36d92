import { Injectable } from '@nestjs/common';
import { recordActivities } from '../../kernel/activity/record-activity.js';
import { type Author } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import {
  type GroupTypeNames,
  type StoredGroupType,
  groupTypesOf,
  renameGroupTypes,
} from '../../kernel/groups/group-types.js';
import { maxGroupTypes } from '../../kernel/projection/named-groups.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { isFields } from '../../platform/fields/values.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { type GroupTypeDto, groupTypeNames } from './group-type.dto.js';

/** Lists the types of groups, and changes the names under which people see them. Events make the types. */
@Injectable()
export class GroupTypesService {
  constructor(private readonly postgres: Postgres) {}

  async list(project: ProjectContext): Promise<GroupTypeDto[]> {
    return (await groupTypesOf(this.postgres, project.id)).map(toTypeDto);
  }

  async rename(project: ProjectContext, body: unknown, author: Author): Promise<GroupTypeDto[]> {
    if (!Array.isArray(body) || body.length > maxGroupTypes)
      throw invalidInput(`The body must be a list of at most ${maxGroupTypes} types`);
    const sent: readonly unknown[] = body;
    return this.postgres.transaction(
      async (client) => {
        const types = await groupTypesOf(client, project.id);
        const renamed = sent.flatMap((one, at) => namesIn(one, String(at), types));
        if (renamed.length > 0) {
          await renameGroupTypes(
            client,
            project.id,
            renamed.map(({ after }) => after),
          );
          await recordActivities(client, project, renamed.map(activity), author);
        }
        return (await groupTypesOf(client, project.id)).map(toTypeDto);
      },
      { repeat: true },
    );
  }
}

interface Renamed {
  readonly before: StoredGroupType;
  readonly after: GroupTypeNames;
}

/** A name that is missing stays. Returns an empty list when nothing changes. */
const namesIn = (sent: unknown, attr: string, types: readonly StoredGroupType[]): Renamed[] => {
  const read = groupTypeNames.reader(sent, attr);
  const index = read('group_type_index');
  const before = types.find(({ group_type_index: known }) => known === index);
  if (!before) throw invalidInput(`${attr}.group_type_index ${index} is that of no type`, `${attr}.group_type_index`);
  const named = (name: 'name_singular' | 'name_plural') =>
    isFields(sent) && Object.hasOwn(sent, name) ? read(name) : before[name];
  const after = {
    group_type_index: index,
    name_singular: named('name_singular'),
    name_plural: named('name_plural'),
  };
  const isChanged = after.name_singular !== before.name_singular || after.name_plural !== before.name_plural;
  return isChanged ? [{ before, after }] : [];
};

const activity = ({ before, after }: Renamed) => ({
  scope: 'Group' as const,
  itemId: `type ${before.group_type_index}`,
  activity: 'updated',
  name: before.name,
  changes: (['name_singular', 'name_plural'] as const).flatMap((field) =>
    before[field] === after[field]
      ? []
      : [
          {
            type: 'Group' as const,
            action: 'changed' as const,
            field,
            before: before[field],
            after: after[field],
          },
        ],
  ),
});

const toTypeDto = ({ name, created_at, ...type }: StoredGroupType): GroupTypeDto => ({
  group_type_index: type.group_type_index,
  group_type: name,
  name_singular: type.name_singular,
  name_plural: type.name_plural,
  created_at: created_at.toISOString(),
});
