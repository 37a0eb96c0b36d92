import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { ClickHouse } from '../../../src/platform/clickhouse/client.js';
import { clickhouseMigrations } from '../../../src/kernel/projection/schema/migrations.js';
import { eventsTable } from '../../../src/kernel/projection/schema/projected-tables.js';
import { type Sql, compile, sql } from '../../../src/platform/clickhouse/sql.js';
import { dropTable } from '../../../src/kernel/projection/drop-table.sql.js';
import { Loader } from '../../../src/kernel/projection/shipping/loader.js';
import { ShadowTables } from '../../../src/kernel/projection/rebuild/shadow-tables.js';

const form = { cluster: 'three', textIndexes: true };

describe('statements for a cluster', () => {
  let folder: string;
  let clickhouse: ClickHouse;
  const statements: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kohort-cluster-'));
    clickhouse = await ClickHouse.open({ embeddedPath: folder }, { info: () => undefined });
  });
  afterAll(async () => {
    await clickhouse.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The real engine, configured as if it were a cluster. It parses the statements it would run. */
  const parsing = (): ClickHouse =>
    new Proxy(clickhouse, {
      get: (target, name) => {
        if (name === 'form') return form;
        if (name === 'query') return () => Promise.resolve([]);
        if (name !== 'command' && name !== 'remove') throw new Error(`${String(name)} was not expected`);
        return (statement: Sql) => {
          statements.push(compile(statement).query);
          return target.command(sql`EXPLAIN AST ${statement}`);
        };
      },
    });

  it('can be parsed, and exchange and delete where the rows are', async () => {
    const cluster = parsing();
    const shadows = new ShadowTables(cluster, { number: '12', attempt: 1 });
    await shadows.create();
    await shadows.exchange();
    await new Loader(cluster, pino({ level: 'silent' })).removeEvents(eventsTable, 1, [
      '0198a7b6-0000-7000-8000-000000000001',
    ]);
    for (const statement of dropTable(form, 'events_rebuild_12_1')) await cluster.command(statement);
    for (const { statements } of clickhouseMigrations)
      for (const statement of statements(form)) await cluster.command(statement);
    for (const part of [
      'RENAME TABLE `events_local` TO `events_rebuild_12_1_0_local`, `events_rebuild_12_1_local` TO `events_local` ON CLUSTER `three`',
      "ALTER TABLE `events_rebuild_12_1_local` ON CLUSTER `three` MODIFY COMMENT 'rebuild 12_1'",
      'DELETE FROM `events_local` ON CLUSTER `three`',
      'DROP TABLE IF EXISTS `events_rebuild_12_1_local` ON CLUSTER `three` SYNC',
      'Distributed(`three`, currentDatabase(), `events_rebuild_12_1_local`, cityHash64(project_id, distinct_id))',
    ]) {
      expect(statements.filter((statement) => statement.includes(part))).toHaveLength(1);
    }
    const created = statements.filter((statement) => statement.includes('ENGINE = Replicated'));
    const uuids = created.map((statement) => / UUID '([0-9a-f-]{36})' ON CLUSTER `three` /.exec(statement)?.[1]);
    expect(
      created.filter((statement, at) => !statement.includes(`('/clickhouse/tables/${uuids[at]}/{shard}', '{replica}'`)),
    ).toEqual([]);
    expect([created.length, new Set(uuids).size]).toEqual([10, 10]);
  });
});
