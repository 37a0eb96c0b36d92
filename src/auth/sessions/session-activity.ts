import { type ClientBase } from 'pg';
import { type ActivityAuthor, recordActivities } from '../../activity/log/record-activity.js';
import { type SessionRow } from './sessions.repository.js';

/** Neither the token nor the address of a session is part of an entry. */
export const recordSessions = (
  client: ClientBase,
  activity: 'opened' | 'ended',
  sessions: readonly Pick<SessionRow, 'id' | 'userId'>[],
  author: ActivityAuthor,
): Promise<void> => {
  const [first] = sessions;
  if (!first) return Promise.resolve();
  const action = activity === 'opened' ? ('created' as const) : ('deleted' as const);
  return recordActivities(
    client,
    { accountOf: first.userId },
    sessions.map(({ id }) => ({
      scope: 'Session' as const,
      itemId: id,
      activity,
      name: null,
      changes: [{ type: 'Session' as const, action, field: null, before: null, after: null }],
    })),
    author,
  );
};
