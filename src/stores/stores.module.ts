import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type DataSource } from 'typeorm';
import { ClickHouse } from './clickhouse/client.js';

/** Stores are opened before Nest starts and closed after it has stopped; here they are only handed out. */
@Global()
@Module({})
export class StoresModule {
  static forRoot({ dataSource, clickhouse }: { dataSource: DataSource; clickhouse: ClickHouse | null }): DynamicModule {
    return {
      module: StoresModule,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => dataSource.options,
          dataSourceFactory: () => Promise.resolve(dataSource),
        }),
      ],
      providers: clickhouse ? [{ provide: ClickHouse, useValue: clickhouse }] : [],
      exports: clickhouse ? [ClickHouse] : [],
    };
  }
}
