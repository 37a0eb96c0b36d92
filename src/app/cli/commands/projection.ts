import { type Rebuild } from '../../../kernel/projection/rebuild/rebuilds.repository.js';
import { UsageError, type Command } from '../command.js';
import { progressOf, type Progress } from '../../start/progress.js';

export const statusCommand: Command = {
  name: 'projection status',
  usage: 'projection status',
  summary: 'show how far ClickHouse is behind PostgreSQL',
  options: {},
  run: async ({ database }) => {
    const { projectionStatus } = await import('../../../kernel/projection/status.js');
    const status = await projectionStatus(database.postgres);
    return {
      lag_seconds: status.lagSeconds,
      waiting_rows: status.waitingRows,
      waiting_keys: status.waitingKeys,
      last_shipment: status.lastShipment?.number ?? null,
      last_shipped_at: status.lastShipment?.at.toISOString() ?? null,
      holder: status.holder,
      shippers: status.shippers,
      parked: status.parked.map(({ number, projectId, since, failures, keys, error }) => ({
        shipment: number,
        project: projectId,
        since: since.toISOString(),
        failures,
        keys,
        error,
      })),
    };
  },
};

export const retryCommand: Command = {
  name: 'projection retry',
  usage: 'projection retry --project 1',
  summary: 'try parked shipments again, for which their projects wait',
  options: { project: { value: 'ID', about: 'only those of this project' } },
  run: async ({ database, flags }) => {
    const { retryParked } = await import('../../../kernel/projection/shipping/parked-shipments.js');
    const { project } = flags;
    if (project !== undefined && !/^[1-9]\d{0,8}$/.test(project))
      throw new UsageError('--project must be the id of a project');
    const shipments = await retryParked(database.postgres, project === undefined ? null : Number(project));
    return { retried: shipments.length, shipments };
  },
};

export const rebuildCommand: Command = {
  name: 'projection rebuild',
  usage: 'projection rebuild',
  summary: 'rebuild ClickHouse from PostgreSQL while the service keeps running',
  options: {},
  run: async (context) => {
    const { postgres, besideService } = context.database;
    const { rebuildProjection } = await import('../../../kernel/projection/rebuild/follow.js');
    const { withWorkers } = await import('../clickhouse.js');
    const bar = rebuildBar();
    const rebuild = () => rebuildProjection(postgres, new Date(), bar.show).finally(bar.end);
    const done = besideService ? rebuild() : withWorkers(context, ['projection'], rebuild, { creates: true });
    const { personsDone, eventsDone } = await done;
    return { persons: personsDone, events: eventsDone };
  },
};

/** The totals are known only once the work has started. */
const rebuildBar = () => {
  let progress: Progress | null = null;
  return {
    show: ({ personsTotal, personsDone, eventsTotal, eventsDone }: Rebuild): void => {
      if (personsTotal + eventsTotal === 0) return;
      progress ??= progressOf('rows', personsTotal + eventsTotal);
      progress.show(personsDone + eventsDone);
    },
    end: (): void => progress?.end(),
  };
};
