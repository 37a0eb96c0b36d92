import { type Activity } from '../../activity/log/record-activity.js';

/** Logs under the project how many events have expired. */
export const expiryActivity = (projectId: number, name: string, deleted: number): Activity => ({
  scope: 'Project',
  itemId: String(projectId),
  activity: 'events_expired',
  name,
  changes: [{ type: 'Project', action: 'deleted', field: 'events', before: deleted, after: null }],
});
