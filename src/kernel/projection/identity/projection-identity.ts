import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DataSource } from 'typeorm';
import { type Logger } from '../../../platform/telemetry/logger.js';
import { type ClickHouse } from '../../../platform/clickhouse/client.js';
import { type Ownership } from '../../../platform/clickhouse/ownership.js';
import { markRow, type FoundDatabase } from '../../../platform/clickhouse/schema/mark.js';
import { migrateClickHouse, shareBookkeeping } from '../../../platform/clickhouse/schema/migrate.js';
import { clickhouseMigrations } from '../schema/migrations.js';
import { projectedTables } from '../schema/projected-tables.js';
import { onCluster, storedTable } from '../../../platform/clickhouse/schema/table.js';
import { sql } from '../../../platform/clickhouse/sql.js';
import { underMigrationLock } from '../../stores/migrate.js';
import { type Postgres } from '../../../platform/postgres/postgres.js';
import { holdShipping } from '../shippers.js';
import { newestShipped, tableWithRows } from './found-contents.js';
import {
  doesShip,
  giveUpRebuilds,
  hasLog,
  storeIdentity,
  newestShipment,
  recordedIdentity,
  recordGeneration,
  requestContents,
  type RecordedIdentity,
} from './recorded-identity.js';
import { BeingFilled, faults, isOurs, verdictOf, type DatabaseVerdict } from './verdict.js';

/** How long what the stores say is used again, by all shipments and questions of this process. */
const knownForMs = 2_000;
/** By then every process has noticed what PostgreSQL says, and gives no answer from tables that look empty. */
const noticedAfterMs = knownForMs + 1_000;
/** A store that is slow to say what it is has not become another one. */
const findMs = 500;
/** No process ships meanwhile. */
const confirmMs = 2_000;
const findSurelyMs = 10_000;
/** Longer than the lease of a process that was killed. */
const othersEndMs = 12_000;
const lookAgainMs = 200;

/** A release whose shipments have other columns, or others contents of them, has a further migration. */
export const projectionVersion = clickhouseMigrations.length;

export interface ClaimOptions {
  /** True if an empty database may become the projection, to be filled. */
  readonly fills?: boolean;
  /** True if a missing database is to be created, as the operator requested. */
  readonly creates?: boolean;
  /** How long other processes may still ship to another database. */
  readonly othersEndWithinMs?: number;
}

interface Stores {
  readonly postgres: Postgres;
  readonly dataSource: DataSource;
  readonly clickhouse: ClickHouse;
}

const comparable = ({ server, generation }: Pick<RecordedIdentity, 'server' | 'generation'>): string =>
  `${server} ${generation}`;

interface Known {
  readonly at: number;
  readonly recorded: RecordedIdentity;
}

/**
 * Knows whose projection the database of CLICKHOUSE_URL has. The identity of this PostgreSQL and a generation are in both
 * stores; a database with others gets no shipment and answers no question.
 */
export class ProjectionIdentity implements Ownership {
  private found: FoundDatabase = { exists: false, mark: null };
  private known: Known | null = null;
  private looking: Promise<RecordedIdentity> | null = null;
  /** The server and the generation that were compared. */
  private compared: string | null = null;
  private isAhead = false;
  private comparing: Promise<void> | null = null;

  constructor(
    private readonly stores: Stores,
    private readonly logger: Logger,
  ) {}

  async fault(): Promise<Error | null> {
    const recorded = await this.recorded();
    if (!isOurs(recorded, this.found) || this.isAhead) return this.notOurs(recorded);
    // A question must not wait: it may hold the connection that the comparison needs.
    if (this.compared !== comparable(recorded)) return faults.comparing();
    return recorded.isFilled ? null : new BeingFilled(recorded);
  }

  async faultOfWrites(): Promise<Error | null> {
    const recorded = await this.recorded();
    if (recorded.version > projectionVersion) return faults.newer(recorded.version, projectionVersion);
    await this.comparing;
    return isOurs(recorded, this.found) && !this.isAhead ? null : this.notOurs(recorded);
  }

  agrees(recorded: Parameters<Ownership['agrees']>[0]): boolean {
    const { generation, version } = recorded;
    const isKnown = this.found.mark?.generation === generation && version <= projectionVersion;
    const doesAgree = isKnown && this.compared === comparable(recorded);
    if (!doesAgree) this.known = null;
    return doesAgree;
  }

  async confirm(): Promise<void> {
    const { clickhouse } = this.stores;
    if (clickhouse.isEmbedded) return;
    const { mark } = this.found;
    const now = await clickhouse.find(confirmMs);
    if (mark !== null && isOurs(mark, now)) return;
    this.known = null;
    throw faults.lost(clickhouse.description);
  }

  async regain(): Promise<void> {
    await underMigrationLock(this.stores.dataSource, () => this.claim({ othersEndWithinMs: 0 }));
  }

  /**
   * Makes the database the projection of this PostgreSQL, unless it is, and brings its schema up to date. Throws when that could
   * be a mistake. Must be called under the lock of migrations; returns the names of those that ran.
   */
  async claim({ fills = true, creates = false, othersEndWithinMs = othersEndMs }: ClaimOptions = {}): Promise<
    string[]
  > {
    const { postgres, clickhouse } = this.stores;
    this.known = null;
    const recorded = await recordedIdentity(postgres);
    if (recorded.version > projectionVersion) throw faults.newer(recorded.version, projectionVersion);
    const found = await this.findAll();
    const verdict = await verdictOf(recorded, found, {
      hasRows: async () => (await tableWithRows(clickhouse)) !== null,
      hasLog: () => hasLog(postgres),
      isAhead: () => this.compare(recorded),
    });
    if (verdict === 'ours') return this.migrate(recorded, fills);
    const database = clickhouse.description;
    if (verdict === 'foreign') throw faults.foreign(database);
    if (!found.exists && !creates && recorded.generation > 0 && !clickhouse.isEmbedded) throw faults.missing(database);
    const isFilling = verdict === 'empty' || verdict === 'outdated' || verdict === 'ahead';
    if (isFilling && !fills) throw faults.unfilled(database);
    const generation = Math.max(recorded.generation, found.mark?.generation ?? 0) + 1;
    // Processes that ship to it end that when they find that it is no longer the projection.
    if (verdict === 'ahead') await recordGeneration(postgres, generation);
    if (isFilling) await this.untilNoneShips(verdict === 'ahead' ? othersEndMs : othersEndWithinMs);
    const identity = await this.store(isFilling, recorded);
    const done = await this.makeTables(verdict);
    await clickhouse.insert('schema_migrations', [markRow({ identity, generation })]);
    await recordGeneration(postgres, generation);
    this.found = { exists: true, mark: { identity, generation } };
    [this.compared, this.isAhead] = [comparable({ ...recorded, generation }), false];
    return done;
  }

  /** True if the database has shipments of which PostgreSQL knows nothing: PostgreSQL has lost what it had acknowledged. */
  private async compare(recorded: RecordedIdentity): Promise<boolean> {
    const { postgres, clickhouse } = this.stores;
    // In this order, because other processes begin shipments meanwhile.
    const shipped = await newestShipped(clickhouse);
    this.isAhead = shipped > (await newestShipment(postgres));
    this.compared = comparable(recorded);
    return this.isAhead;
  }

  private startComparing(recorded: RecordedIdentity): void {
    this.comparing ??= this.compare(recorded).then(
      () => {
        this.comparing = null;
      },
      () => {
        [this.comparing, this.known] = [null, null];
      },
    );
  }

  /** A rebuild that failed, or a process that ended before it had requested one, must not keep questions waiting for ever. */
  private async migrate({ isFilled, isRebuilding }: RecordedIdentity, fills: boolean): Promise<string[]> {
    const { postgres, clickhouse } = this.stores;
    if (fills && !isFilled && !isRebuilding)
      await postgres.transaction((client) => requestContents(client, postgres.clock.now()));
    return migrateClickHouse(clickhouse, clickhouseMigrations);
  }

  private store(isFilling: boolean, { isRebuilding }: RecordedIdentity): Promise<string> {
    const { postgres, clickhouse } = this.stores;
    return postgres.transaction(async (client) => {
      await holdShipping(client);
      if (!isFilling) return storeIdentity(client, { isFilled: !isRebuilding, version: projectionVersion });
      // One that begins now finds that its database is not the projection before its first shipment.
      if (!clickhouse.isEmbedded && (await doesShip(client))) throw faults.elsewhere(clickhouse.description);
      const identity = await storeIdentity(client, { isFilled: false, version: projectionVersion });
      const now = postgres.clock.now();
      await giveUpRebuilds(client, now);
      await requestContents(client, now);
      return identity;
    });
  }

  private async makeTables(verdict: DatabaseVerdict): Promise<string[]> {
    const { clickhouse } = this.stores;
    const { form, isEmbedded, description } = clickhouse;
    const isStale = verdict === 'outdated' || verdict === 'ahead';
    if (verdict === 'empty' || isStale) {
      const fault = verdict === 'ahead' ? 'has what PostgreSQL has lost' : 'does not have what PostgreSQL has';
      this.logger.warn(`${description} ${fault}: it is filled again from PostgreSQL`);
      if (!isEmbedded) await sleep(noticedAfterMs);
    }
    if (!this.found.exists) await clickhouse.createDatabase();
    const done = await migrateClickHouse(clickhouse, clickhouseMigrations);
    if (!isStale) return done;
    for (const { name: table } of projectedTables)
      await clickhouse.command(sql`TRUNCATE TABLE ${storedTable(form, table)}${onCluster(form)}`);
    return done;
  }

  private async untilNoneShips(withinMs: number): Promise<void> {
    const { postgres, clickhouse } = this.stores;
    if (clickhouse.isEmbedded) return;
    for (const end = performance.now() + withinMs; await doesShip(postgres); await sleep(lookAgainMs))
      if (performance.now() > end) throw faults.elsewhere(clickhouse.description);
  }

  /** A server that came to the cluster later may be the one that answers. */
  private async findAll(): Promise<FoundDatabase> {
    const { clickhouse } = this.stores;
    this.found = await clickhouse.find(findSurelyMs);
    if (!this.found.exists || this.found.mark !== null) return this.found;
    await shareBookkeeping(clickhouse);
    this.found = await clickhouse.find(findSurelyMs);
    return this.found;
  }

  private async recorded(): Promise<RecordedIdentity> {
    const { known } = this;
    if (known && performance.now() - known.at < knownForMs) return known.recorded;
    return (this.looking ??= this.look().finally(() => {
      this.looking = null;
    }));
  }

  private async look(): Promise<RecordedIdentity> {
    const { postgres, clickhouse } = this.stores;
    const at = performance.now();
    const finding = clickhouse.find(findMs).catch(() => this.found);
    const recorded = await recordedIdentity(postgres);
    this.found = await finding;
    // A replica of PostgreSQL that is late looks as if it had lost what it gets in a moment.
    const isCompared = comparable(recorded) === this.compared && !this.isAhead;
    if (!isCompared && isOurs(recorded, this.found)) this.startComparing(recorded);
    this.known = { at, recorded };
    return recorded;
  }

  private notOurs({ identity }: RecordedIdentity): Error {
    const { found, stores } = this;
    const database = stores.clickhouse.description;
    if (!found.exists) return faults.missing(database);
    if (this.isAhead) return faults.ahead(database);
    return found.mark && found.mark.identity !== identity ? faults.foreign(database) : faults.lost(database);
  }
}
