import { ClickHouseUnavailable } from '../../../platform/clickhouse/errors.js';
import { eventsTable } from '../schema/projected-tables.js';
import { type Lease } from '../../../platform/postgres/lease.js';
import { type Cargo, type ProjectedRow, readCargo } from '../cargo/cargo.js';
import { type Logger } from '../../../platform/telemetry/logger.js';
import { type Loader, inChunks } from './loader.js';
import { mayLieInShipment } from './faults.js';
import { byProject, projectsIn, type Key, type Shipment } from './shipment.js';
import { type ShipmentsRepository, maxKeysPerShipment } from './shipments.repository.js';
import { type Queryable } from '../../../platform/postgres/postgres.js';

export interface Shipped {
  readonly number: string;
  readonly rows: ReadonlyMap<string, number>;
  /** True if more rows are likely to wait. */
  readonly full: boolean;
}

/**
 * Moves one shipment from the outbox to ClickHouse: the shipment is recorded first, inserted under tokens derived from its
 * number, and then removed from the outbox. An unfinished shipment is repeated, and ClickHouse recognises by the token what has
 * already arrived and drops it.
 */
export class Shipper {
  constructor(
    private readonly postgres: Queryable,
    private readonly lease: Lease,
    private readonly log: ShipmentsRepository,
    private readonly loader: Loader,
    private readonly cargoes: readonly Cargo[],
    private readonly logger: Logger,
  ) {}

  /** Returns null when nothing waits, or when a failed shipment was divided or parked. */
  async ship(now: () => Date): Promise<Shipped | null> {
    const shipment = await this.open(now());
    if (!shipment) return null;
    const rows = await this.deliverAll(shipment).catch((error: unknown) => this.failed(shipment, error, now()));
    if (rows === null) return null;
    await this.complete(shipment, now());
    const keys = this.cargoes.reduce((sum, { kind }) => sum + shipment.keys[kind].length, 0);
    return { number: shipment.number, rows, full: keys >= maxKeysPerShipment / 2 };
  }

  protected open(now: Date): Promise<Shipment | null> {
    return this.log.open(now);
  }

  protected complete(shipment: Shipment, now: Date): Promise<void> {
    return this.log.complete(shipment, now);
  }

  /** Does one insert, which may have happened before. */
  protected async put(cargo: Cargo, rows: readonly ProjectedRow[], token: string): Promise<void> {
    this.lease.check();
    await this.loader.insert(cargo.table, rows, token);
  }

  private async deliverAll(shipment: Shipment): Promise<Map<string, number>> {
    const rows = new Map<string, number>();
    await this.removeReplaced(shipment);
    for (const cargo of this.cargoes) {
      const { name } = cargo.table;
      rows.set(name, (rows.get(name) ?? 0) + (await this.deliver(shipment, cargo)));
    }
    return rows;
  }

  /**
   * Removes the events that a divided shipment has inserted, because its parts have other tokens and insert them again. Rows of
   * the other tables replace each other.
   */
  private async removeReplaced({ replaces, keys }: Shipment): Promise<void> {
    if (replaces === null) return;
    for (const projectId of byProject(keys.events).keys()) {
      await this.loader.removeShipped(eventsTable, projectId, replaces);
    }
  }

  /** Throws the error again unless the shipment was divided or parked. */
  private async failed(shipment: Shipment, error: unknown, now: Date): Promise<null> {
    if (!mayLieInShipment(error) || !(await this.loader.isAnswering())) throw error;
    const reason = error instanceof ClickHouseUnavailable && error.cause instanceof Error ? error.cause : error;
    const outcome = await this.log.failed(shipment, reason instanceof Error ? reason.message : String(reason), now);
    if (outcome === 'to be repeated') throw error;
    const message = {
      divided: 'a shipment failed again and again: it is divided into one for each project',
      parked:
        'a shipment failed again and again: it is parked, and nothing of its project is shipped until `projection retry`',
    }[outcome];
    const projects = projectsIn(shipment);
    this.logger.error({ err: error, shipment: shipment.number, projects }, message);
    return null;
  }

  private async deliver(shipment: Shipment, cargo: Cargo): Promise<number> {
    let delivered = 0;
    // A shipment that the release before has planned has neither chunks nor keys of a kind that this release has added.
    const chunks = inChunks(shipment.keys[cargo.kind], shipment.chunks[cargo.kind] ?? []);
    let next = this.readAhead(shipment, cargo, chunks[0]);
    for (const at of chunks.keys()) {
      const rows = await next;
      next = this.readAhead(shipment, cargo, chunks[at + 1]);
      // The token has the kind, because two kinds go into one table, and the time, because PostgreSQL may assign a number again
      // after it was restored from a backup.
      const token = `${cargo.kind}-${shipment.number}-${shipment.claimedAt.getTime()}-${at}`;
      if (rows.length > 0) await this.put(cargo, rows, token);
      delivered += rows.length;
    }
    return delivered;
  }

  /** Reads the next chunk from PostgreSQL while ClickHouse inserts the current one. */
  private readAhead(shipment: Shipment, cargo: Cargo, keys: readonly Key[] | undefined): Promise<ProjectedRow[]> {
    const reading = keys ? this.read(shipment, cargo, keys) : Promise.resolve([]);
    // A failure matters only when the chunk is needed, which may never happen.
    reading.catch(() => undefined);
    return reading;
  }

  private async read({ number }: Shipment, cargo: Cargo, keys: readonly Key[]): Promise<ProjectedRow[]> {
    const all: ProjectedRow[] = [];
    for (const [projectId, refs] of byProject(keys)) {
      const { rows, gone } = await readCargo(cargo, this.postgres, projectId, refs, number);
      for (const row of rows) all.push(row);
      this.lease.check();
      if (gone.length === 0) continue;
      const before = cargo.removesOnlyOlder ? number : null;
      if (cargo.isGone) await this.loader.remove(cargo.table, projectId, gone, cargo.isGone);
      else await this.loader.removeEvents(cargo.table, projectId, gone, before);
    }
    return all;
  }
}
