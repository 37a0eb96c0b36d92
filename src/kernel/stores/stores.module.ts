import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { type Stores } from './open-stores.js';
import { Postgres } from '../../platform/postgres/postgres.js';

/** The command line has no ClickHouse in its modules. */
type HandedOut = Pick<Stores, 'postgres' | 'dataSource'> & { readonly clickhouse: ClickHouse | null };

/** Stores are opened before Nest starts and closed after it has stopped; this module only provides them. */
@Global()
@Module({})
export class StoresModule {
  static forRoot({ postgres, dataSource, clickhouse }: HandedOut): DynamicModule {
    const clickhouses = clickhouse ? [{ provide: ClickHouse, useValue: clickhouse }] : [];
    return {
      module: StoresModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => dataSource.options,
          dataSourceFactory: () => Promise.resolve(dataSource),
        }),
      ],
      providers: [{ provide: Postgres, useValue: postgres }, ...clickhouses],
      exports: [Postgres, ...clickhouses.map(({ provide }) => provide)],
    };
  }
}
