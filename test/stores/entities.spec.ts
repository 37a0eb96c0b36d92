import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DataSource } from 'typeorm';
import { freshStores } from '../support/fresh-stores.js';
import { entities } from '../../src/app/entities.js';
import { postgresDataSource } from '../../src/kernel/stores/data-source.js';

let stores: Awaited<ReturnType<typeof freshStores>>;
let dataSource: DataSource;

beforeAll(async () => {
  stores = await freshStores();
  dataSource = await postgresDataSource(stores.databaseUrl, entities, { poolSize: 4 }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await stores.remove();
});

describe('the entities', () => {
  it('leave the schema builder nothing to change in the migrated database', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('name their properties after the columns, which the type Stored relies on', () => {
    const columns = dataSource.entityMetadatas.flatMap((entity) => entity.columns);
    const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    expect(columns.map(({ databaseName }) => databaseName)).toEqual(
      columns.map(({ propertyName }) => snakeCase(propertyName)),
    );
  });

  it('are there for every table', async () => {
    const tables = await dataSource.query<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
    );
    const described = [...dataSource.entityMetadatas.map(({ tableName }) => tableName), 'migrations'];
    expect(tables.map(({ name }) => name)).toEqual(described.sort());
  });
});
