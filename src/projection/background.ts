import { type Logger } from '../common/logging/logger.js';
import { type ClickHouse } from '../stores/clickhouse/client.js';
import { Lease } from '../stores/postgres/lease.js';
import { type Signal } from '../common/background/signal.js';
import { Loader } from './shipping/loader.js';
import { Rebuilder } from './rebuild/rebuilder.js';
import { RecentEvents } from './cargo/recent-events.js';
import { cargoesOf } from './shipping/shipment.js';
import { ShipmentLog } from './shipping/shipment-log.js';
import { Shipper, type Shipped } from './shipping/shipper.js';
import { shipperLease } from './shippers.js';
import { projectionLease } from './status.js';
import { ProjectionWorker } from './worker.js';
import { type Postgres } from '../stores/postgres/postgres.js';

export interface Background {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly logger: Logger;
  /** The embedded ClickHouse belongs to this process, so no other process can ship. */
  readonly sole: boolean;
  /** Events that this process commits itself. */
  readonly recent?: RecentEvents;
  readonly work: Signal;
  readonly waiting: () => number;
  readonly isImporting?: () => boolean;
  readonly onShipped: (shipped: Shipped) => void;
  readonly onFailure?: (error: unknown) => void;
}

/** Combines all background work on the projection of one process. */
export const projectionWorker = (background: Background): ProjectionWorker => {
  const { postgres, clickhouse, logger, work, sole } = background;
  const lease = new Lease(postgres, projectionLease, { sole });
  const shipping = shipperLease(postgres);
  const { recent = new RecentEvents() } = background;
  const cargoes = cargoesOf(recent);
  const { ownership } = clickhouse;
  const log = new ShipmentLog(postgres, shipping, cargoes, { sole, ownership });
  const loader = new Loader(clickhouse, logger);
  return new ProjectionWorker({
    isImporting: () => false,
    onFailure: () => undefined,
    ...background,
    backlog: () => recent.size,
    isFull: () => recent.isNearlyFull,
    lease,
    shipping,
    ownership,
    log,
    now: () => postgres.clock.now(),
    shipper: new Shipper(postgres, shipping, log, loader, cargoes, logger),
    rebuilder: new Rebuilder({ postgres, clickhouse, lease, loader, logger, onCopied: () => work.notify() }),
  });
};
