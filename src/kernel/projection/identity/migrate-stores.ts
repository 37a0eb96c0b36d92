import { type DataSource } from 'typeorm';
import { type Logger } from '../../../platform/telemetry/logger.js';
import { ConfigError } from '../../../platform/config/config.js';
import { type ClickHouse } from '../../../platform/clickhouse/client.js';
import { assertArchiveIsKnown } from '../blocks/archived-rows.js';
import { migratePostgres, refuseUnreleasedSchema, underMigrationLock } from '../../stores/migrate.js';
import { type Postgres } from '../../../platform/postgres/postgres.js';
import { announceVersion } from './recorded-identity.js';
import { ProjectionIdentity, projectionVersion, type ClaimOptions } from './projection-identity.js';
import { NotTheProjection } from './verdict.js';

interface OpenStores {
  readonly postgres: Postgres;
  readonly dataSource: DataSource;
  readonly clickhouse: ClickHouse;
}

/**
 * Brings the schema of both stores up to date. Refuses a ClickHouse that has another projection than that of this PostgreSQL.
 */
export const migrateStores = (stores: OpenStores, logger: Logger, options: ClaimOptions = {}): Promise<void> =>
  underMigrationLock(stores.dataSource, async () => {
    await refuseUnreleasedSchema(stores.postgres);
    await stores.postgres.transaction((client) => announceVersion(client, projectionVersion));
    const done = await migratePostgres(stores);
    await assertArchiveIsKnown(stores.postgres);
    const identity = new ProjectionIdentity(stores, logger);
    const projected = await identity.claim(options).catch((error: unknown) => {
      throw error instanceof NotTheProjection ? new ConfigError(error.message, { cause: error }) : error;
    });
    stores.clickhouse.ownership = identity;
    if (done.length + projected.length > 0)
      logger.info({ postgres: named(done), clickhouse: named(projected) }, 'migrations done');
  });

/** The names of the migrations of an upgrade; only their number at a first start, which runs all of them. */
const named = (migrations: readonly string[]): readonly string[] | number =>
  migrations.length > 5 ? migrations.length : migrations;
