import { runDeletions } from '../../deletions/job/follow.js';
import { receiptsOf, type Receipt } from '../../deletions/job/receipts.js';
import { runDeletionsHere } from '../../deletions/job/run-here.js';
import { type Run } from '../../deletions/job/run-log.js';
import { migrateStores } from '../../stores/open-stores.js';
import { withClickHouse } from '../clickhouse.js';
import { type Command } from '../command.js';

const receiptsAtOnce = 1000;

const receiptRow = (receipt: Receipt) => ({
  project: receipt.projectId,
  id: receipt.id,
  person_id: Number(receipt.personId),
  person_uuid: receipt.personUuid,
  state: receipt.state,
  created_at: receipt.createdAt.toISOString(),
  scheduled_for: receipt.scheduledFor.toISOString(),
  events_deleted: Number(receipt.eventsDeleted),
  events_left: receipt.eventsLeft === null ? null : Number(receipt.eventsLeft),
  verified_at: receipt.verifiedAt?.toISOString() ?? null,
  error: receipt.error,
});

export const deletionsRun: Command = {
  name: 'deletions run',
  usage: 'deletions run',
  summary: 'delete the events of deleted persons now, and print the receipts',
  options: {},
  run: async (context) => {
    const { config, database, logger } = context;
    const { postgres } = database;
    const report = errorsOnce();
    const { number } = database.besideService
      ? await runDeletions(postgres, new Date(), report)
      : await withClickHouse(context, async (clickhouse) => {
          await migrateStores(database.dataSource, clickhouse, logger);
          const sole = config.clickhouseUrl === null;
          return runDeletionsHere({ postgres, clickhouse, logger, sole, schedule: config.deletionSchedule }, report);
        });
    return (await receiptsOf(postgres, number, receiptsAtOnce)).map(receiptRow);
  },
};

/** The job retries by itself. An operator who waits for it must see why it takes so long. */
const errorsOnce = () => {
  let last: string | null = null;
  return ({ error }: Run): void => {
    if (error !== null && error !== last) process.stderr.write(`not finished yet: ${error}\n`);
    last = error;
  };
};

export const deletionsList: Command = {
  name: 'deletions list',
  usage: 'deletions list',
  summary: 'list the newest deletion requests of all projects, with their receipts',
  options: {},
  run: async ({ database }) => (await receiptsOf(database.postgres, null, receiptsAtOnce)).map(receiptRow),
};
