import { type ClientBase } from 'pg';
import { type ActivityAuthor, recordActivity } from '../../kernel/activity/record-activity.js';
import { type ProjectRole } from '../../kernel/access/roles.js';

/**
 * Records a change of a membership. `before` is null for a new member, `after` for one who left. The entry names the user by id
 * only.
 */
export const recordMember = (
  client: ClientBase,
  projectId: number,
  userId: number,
  { before, after }: { readonly before: ProjectRole | null; readonly after: ProjectRole | null },
  author: ActivityAuthor,
): Promise<void> => {
  const [activity, action] =
    before === null
      ? (['joined', 'created'] as const)
      : after === null
        ? (['left', 'deleted'] as const)
        : (['updated', 'changed'] as const);
  return recordActivity(
    client,
    { id: projectId },
    {
      ...{ scope: 'Member', itemId: String(userId), activity, name: null },
      changes: [{ type: 'Member', action, field: 'role', before, after }],
    },
    author,
  );
};
