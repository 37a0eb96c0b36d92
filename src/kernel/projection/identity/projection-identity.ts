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

/** All shipments and questions of this process use what the stores say about themselves for this long. */
const knownForMs = 2_000;
/** After this long, every process has noticed what PostgreSQL says, and gives no answer from tables that look empty. */
const noticedAfterMs = knownForMs + 1_000;
/**
 * ClickHouse has this long to say what it is. If it takes longer, its last answer counts: a slow store has not become another
 * one.
 */
const findMs = 500;
/** Short, because no process ships during this look-up. */
const confirmMs = 2_000;
const findSurelyMs = 10_000;
/** Longer than the lease of a process that was killed. */
const othersEndMs = 12_000;
const lookAgainMs = 200;

/**
 * Grows with each migration. A release whose shipments have other columns, or other contents in them, needs a further
 * migration.
 */
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
 * Checks that the database of CLICKHOUSE_URL has the projection of this PostgreSQL. Both stores record the identity of this
 * PostgreSQL and a generation; a database where these differ gets no shipment and answers no question.
 */
export class ProjectionIdentity implements Ownership {
  private found: FoundDatabase = { exists: false, mark: null };
  private known: Known | null = null;
  private looking: Promise<RecordedIdentity> | null = null;
  /** The start of the server and the generation at the last comparison of the stores. */
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
   * Makes the database the projection of this PostgreSQL, unless it already is, and brings its schema up to date. Throws when
   * the database may be the wrong one. Must be called under the lock of migrations; returns the names of the migrations that
   * ran.
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
    // Other processes stop shipping to this database when they find that it is no longer the projection.
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

  /** True if the database has shipments that PostgreSQL does not know, because PostgreSQL has lost what it had acknowledged. */
  private async compare(recorded: RecordedIdentity): Promise<boolean> {
    const { postgres, clickhouse } = this.stores;
    // Reads ClickHouse first, because other processes begin shipments meanwhile.
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

  /**
   * Requests a rebuild when the database is not filled and nothing fills it: a rebuild failed, or a process ended before it had
   * requested one. Otherwise questions would wait for ever.
   */
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
      // A process that begins to ship now finds before its first shipment that its database is not the projection.
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

  /**
   * Looks a second time after the bookkeeping is shared, because the server that answers may have come to the cluster later.
   */
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
    // The embedded database cannot become another one while this process has its folder.
    const finding = clickhouse.isEmbedded ? this.found : clickhouse.find(findMs).catch(() => this.found);
    const recorded = await recordedIdentity(postgres);
    this.found = await finding;
    // Compares again while PostgreSQL seems to have lost shipments: a replica that is late gets them in a moment.
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
