import { join } from 'node:path';
import { type DataSource } from 'typeorm';
import { ConfigError, type Config } from '../../platform/config/config.js';
import { type Logger } from '../../platform/telemetry/logger.js';
import { memoryShares } from '../../platform/config/memory-shares.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { SchemaTooNew } from '../../platform/clickhouse/schema/migrate.js';
import { lockDataDir } from '../../platform/embedded/data-dir.js';
import { openPostgres } from './open-postgres.js';
import { type Entities } from './data-source.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { explaining } from '../../platform/embedded/data-dir-faults.js';
import {
  clickhouseUrlFault,
  databaseUrlFault,
  embeddedClickHouseFault,
  embeddedPostgresFault,
} from './start-faults.js';

export interface Stores {
  readonly postgres: Postgres;
  readonly dataSource: DataSource;
  readonly clickhouse: ClickHouse;
  /** Call it once callers wait for answers of PostgreSQL: from then on, silence of the server is noticed sooner. */
  expectCallers(): void;
  close(): Promise<void>;
}

type Closer = () => Promise<void>;

type Migrate = (stores: Pick<Stores, 'postgres' | 'dataSource' | 'clickhouse'>, logger: Logger) => Promise<void>;

/** Opens and migrates both stores. `close` closes them in reverse order, and continues when one of them fails to close. */
export const openStores = async (
  config: Config,
  logger: Logger,
  entities: Entities,
  migrate: Migrate,
): Promise<Stores> => {
  const closers: Closer[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) {
      await closer().catch((error: unknown) => logger.error({ err: error }, 'a store did not close cleanly'));
    }
  };
  try {
    if (!config.databaseUrl || !config.clickhouseUrl) {
      const lock = await lockDataDir(config.dataDir);
      closers.push(() => lock.release());
    }
    const keep = <T extends { close: Closer }>(opened: T): T => {
      closers.push(() => opened.close());
      return opened;
    };
    const opening = [
      openPostgres(config, logger, entities).then(keep),
      openClickHouse(config, logger).then(keep),
    ] as const;
    // Waits until both attempts have ended, because a failure of one store closes the other.
    refuse(await Promise.allSettled(opening));
    const [opened, clickhouse] = await Promise.all(opening);
    const { postgres, pool, dataSource } = opened;
    warnOfClock(postgres, logger);
    await explaining(() => migrate({ postgres, dataSource, clickhouse }, logger), migrationFault(config));
    return { postgres, dataSource, clickhouse, expectCallers: () => pool.expectCallers(), close };
  } catch (error) {
    await close();
    throw error;
  }
};

const noticeableMs = 2_000;

/** Nothing depends on the clock of this machine, but logs and traces of this process will have wrong times. */
const warnOfClock = ({ clock: { aheadMs } }: Postgres, logger: Logger): void => {
  if (Math.abs(aheadMs) < noticeableMs) return;
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  logger.warn(
    `the clock of this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} PostgreSQL's, which counts`,
  );
};

/** Throws both faults when both stores have one of the configuration, so that the operator sees both. */
const refuse = (outcomes: readonly PromiseSettledResult<unknown>[]): void => {
  const faults = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  const explained = faults.filter((fault) => fault instanceof ConfigError);
  // Both stores report a full disk, in the same words.
  const lines = new Set(explained.map(({ message }) => message));
  if (explained.length > 1) throw new ConfigError([...lines].join('\n'));
};

const migrationFault = ({ databaseUrl, dataDir }: Config) => {
  const storeFault = databaseUrl ? databaseUrlFault(databaseUrl) : embeddedPostgresFault(dataDir);
  return (error: Error): string | null => (error instanceof SchemaTooNew ? error.message : storeFault(error));
};

export const openClickHouse = (config: Config, logger: Logger): Promise<ClickHouse> => {
  const { clickhouseUrl: url, clickhouseCluster: cluster, dataDir, memoryBudget, slowQuestionMs: slowMs } = config;
  return url
    ? explaining(() => ClickHouse.open({ url, cluster, slowMs }, logger), clickhouseUrlFault(url))
    : explaining(
        () =>
          ClickHouse.open(
            { embeddedPath: join(dataDir, 'clickhouse'), memory: memoryShares(memoryBudget), slowMs },
            logger,
          ),
        embeddedClickHouseFault(dataDir),
      );
};
