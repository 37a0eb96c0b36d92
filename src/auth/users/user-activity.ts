import { type ClientBase } from 'pg';
import { type ActivityAuthor, type ActivityChange, recordActivity } from '../../kernel/activity/record-activity.js';

type Field = 'is_owner' | 'first_name' | 'last_name' | 'password' | 'single_sign_on';

/**
 * Makes a change for the activity log. Values are logged for `is_owner` only: names are personal data, and a password is never
 * logged.
 */
export const fieldChange = (field: Field, before: unknown = null, after: unknown = null): ActivityChange => ({
  ...{ type: 'User', action: 'changed', field },
  before: field === 'is_owner' ? before : null,
  after: field === 'is_owner' ? after : null,
});

export const recordUser = async (
  client: ClientBase,
  userId: number,
  activity: 'created' | 'updated' | 'deleted',
  changes: readonly ActivityChange[],
  author: ActivityAuthor,
): Promise<void> => {
  const action = activity === 'created' ? ('created' as const) : ('deleted' as const);
  const whole: ActivityChange = { type: 'User', action, field: null, before: null, after: null };
  if (activity === 'updated' && changes.length === 0) return;
  await recordActivity(
    client,
    { accountOf: userId },
    {
      ...{ scope: 'User', itemId: String(userId), activity, name: null },
      changes: activity === 'updated' ? changes : [whole, ...changes],
    },
    author,
  );
};
