import { type Receipt } from '../../../deletions/job/deletion-requests.repository.js';
import { type Run } from '../../../deletions/job/deletion-runs.repository.js';
import { type Postgres } from '../../../platform/postgres/postgres.js';
import { type Command } from '../command.js';

const receiptsAtOnce = 1000;

const receiptRow = (receipt: Receipt) => ({
  project: receipt.projectId,
  id: receipt.id,
  kind: receipt.kind,
  person_id: Number(receipt.personId),
  person_uuid: receipt.personUuid,
  state: receipt.state,
  created_at: receipt.createdAt.toISOString(),
  scheduled_for: receipt.scheduledFor.toISOString(),
  events_deleted: Number(receipt.eventsDeleted),
  events_scrubbed: Number(receipt.eventsScrubbed),
  events_left: receipt.eventsLeft === null ? null : Number(receipt.eventsLeft),
  verified_at: receipt.verifiedAt?.toISOString() ?? null,
  error: receipt.error,
});

export const deletionsRun: Command = {
  name: 'deletions run',
  usage: 'deletions run',
  summary: 'delete the events of deleted persons now, and print the receipts; expired events are removed too',
  options: {},
  run: async (context) => {
    const { postgres, besideService } = context.database;
    const { runDeletions } = await import('../../../deletions/job/deletion-runs.repository.js');
    const { withWorkers } = await import('../clickhouse.js');
    const run = () => runDeletions(postgres, new Date(), errorsOnce());
    const { number } = await (besideService ? run() : withWorkers(context, ['projection', 'deletions'], run));
    return receiptRows(postgres, number);
  },
};

const receiptRows = async (postgres: Postgres, run: string | null) => {
  const { receiptsOf } = await import('../../../deletions/job/deletion-requests.repository.js');
  return (await receiptsOf(postgres, run, receiptsAtOnce)).map(receiptRow);
};

/** Prints each new error once: the job retries by itself, and the waiting operator must see why it takes so long. */
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
  run: ({ database }) => receiptRows(database.postgres, null),
};
