import { type Rebuild } from '../../projection/rebuild/rebuild-log.js';
import { type Command, type CommandContext } from '../command.js';
import { progressOf, type Progress } from '../progress.js';

export const statusCommand: Command = {
  name: 'projection status',
  usage: 'projection status',
  summary: 'show how far ClickHouse is behind PostgreSQL',
  options: {},
  run: async ({ database }) => {
    const { projectionStatus } = await import('../../projection/status.js');
    const status = await projectionStatus(database.postgres, new Date());
    return {
      lag_seconds: status.lagSeconds,
      waiting_rows: status.waitingRows,
      waiting_keys: status.waitingKeys,
      last_shipment: status.lastShipment?.number ?? null,
      last_shipped_at: status.lastShipment?.at.toISOString() ?? null,
      holder: status.holder,
    };
  },
};

export const rebuildCommand: Command = {
  name: 'projection rebuild',
  usage: 'projection rebuild',
  summary: 'rebuild ClickHouse from PostgreSQL while the service keeps running',
  options: {},
  run: async (context) => {
    const bar = rebuildBar();
    const rebuild = context.database.besideService ? rebuildInService : rebuildWithoutService;
    const { personsDone, eventsDone } = await rebuild(context, bar.show).finally(bar.end);
    return { persons: personsDone, events: eventsDone };
  },
};

type Show = (rebuild: Rebuild) => void;

const rebuildInService = async ({ database }: CommandContext, show: Show): Promise<Rebuild> => {
  const { rebuildProjection } = await import('../../projection/rebuild/follow.js');
  return rebuildProjection(database.postgres, new Date(), show);
};

const rebuildWithoutService = async (context: CommandContext, show: Show): Promise<Rebuild> => {
  const { rebuildHere } = await import('../../projection/rebuild/rebuild-here.js');
  const { withMigratedClickHouse } = await import('../clickhouse.js');
  return withMigratedClickHouse(context, (clickhouse) => {
    const sole = context.config.clickhouseUrl === null;
    return rebuildHere({ postgres: context.database.postgres, clickhouse, logger: context.logger, sole }, show);
  });
};

/** The totals are known only once the work has begun. */
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
