import { type Command } from '../command.js';

const receiptsAtOnce = 1000;

export const retentionList: Command = {
  name: 'retention list',
  usage: 'retention list',
  summary: 'list the newest removals of expired events of all projects, with their receipts',
  options: {},
  run: async ({ database }) => {
    const { newestExpiryReceipts } = await import('../../../deletions/expiry/expiry-receipts.js');
    const receipts = await newestExpiryReceipts(database.postgres, receiptsAtOnce);
    return receipts.map((receipt) => ({
      project: receipt.projectId,
      id: receipt.id,
      state: receipt.state,
      started_at: receipt.startedAt.toISOString(),
      counted_from: receipt.countedFrom.toISOString(),
      events_ttl_days: receipt.ttlDays,
      events_deleted: Number(receipt.eventsDeleted),
      events_left: receipt.eventsLeft === null ? null : Number(receipt.eventsLeft),
      verified_at: receipt.verifiedAt?.toISOString() ?? null,
      error: receipt.error,
    }));
  },
};
