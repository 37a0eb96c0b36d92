import { projectionStatus } from '../../projection/status.js';
import { rebuildProjection } from '../../projection/rebuild/follow.js';
import { rebuildHere } from '../../projection/rebuild/rebuild-here.js';
import { type Rebuild } from '../../projection/rebuild/rebuild-log.js';
import { migrateStores } from '../../stores/open-stores.js';
import { withClickHouse } from '../clickhouse.js';
import { type Command } from '../command.js';
import { progressOf, type Progress } from '../progress.js';

export const statusCommand: Command = {
  name: 'projection status',
  usage: 'projection status',
  summary: 'show how far ClickHouse is behind PostgreSQL',
  options: {},
  run: async ({ database }) => {
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
    const { postgres } = context.database;
    const bar = rebuildBar();
    const rebuild = await (
      context.database.besideService
        ? rebuildProjection(postgres, new Date(), bar.show)
        : withClickHouse(context, async (clickhouse) => {
            await migrateStores(context.database.dataSource, clickhouse, context.logger);
            const sole = context.config.clickhouseUrl === null;
            return rebuildHere({ postgres, clickhouse, logger: context.logger, sole }, bar.show);
          })
    ).finally(bar.end);
    return { persons: rebuild.personsDone, events: rebuild.eventsDone };
  },
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
