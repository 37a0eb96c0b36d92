import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type DataSource } from 'typeorm';
import { ClickHouse } from './clickhouse/client.js';
import { Config } from './config/config.js';
import { Drain } from './http/http-server.js';
import { Postgres } from './postgres/postgres.js';
import { LOGGER, type Logger } from './telemetry/logger.js';
import { Mailer } from './mail/mailer.js';
import { Metrics } from './telemetry/metrics.js';
import { ActiveProjects } from './work/active-projects.js';
import { Workers } from './work/workers.js';

/** Stores are opened before Nest starts and closed after it has stopped. A command may have no ClickHouse. */
interface OpenStores {
  readonly postgres: Postgres;
  readonly dataSource: DataSource;
  readonly clickhouse: ClickHouse | null;
}

/** Providers that every module may inject without importing them. */
@Global()
@Module({})
export class PlatformModule {
  static forRoot(config: Config, logger: Logger, { postgres, dataSource, clickhouse }: OpenStores): DynamicModule {
    const values = [
      { provide: Config, useValue: config },
      { provide: LOGGER, useValue: logger },
      { provide: Postgres, useValue: postgres },
      ...(clickhouse ? [{ provide: ClickHouse, useValue: clickhouse }] : []),
    ];
    const services = [ActiveProjects, Drain, Mailer, Metrics, Workers];
    return {
      module: PlatformModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => dataSource.options,
          dataSourceFactory: () => Promise.resolve(dataSource),
        }),
      ],
      providers: [...values, ...services],
      exports: [...values.map(({ provide }) => provide), ...services],
    };
  }
}
