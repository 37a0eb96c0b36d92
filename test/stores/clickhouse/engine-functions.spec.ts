import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aggregateFunctions, scalarFunctions, windowFunctions } from '../../../src/sql/functions/allowed-functions.js';
import { refusedFunctions } from '../../../src/sql/functions/find-function.js';
import { ClickHouse } from '../../../src/platform/clickhouse/client.js';
import { sql } from '../../../src/platform/clickhouse/sql.js';

const allowed = [...Object.values(scalarFunctions).flat(), ...aggregateFunctions, ...windowFunctions];
const refused = Object.values(refusedFunctions).flat();

let folder: string;
let clickhouse: ClickHouse;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kohort-functions-'));
  clickhouse = await ClickHouse.open({ embeddedPath: folder }, { info: () => undefined });
});
afterAll(async () => {
  await clickhouse.close();
  await rm(folder, { recursive: true, force: true });
});

describe('the functions of the engine', () => {
  it('are each allowed or refused: a new release of the engine has none that nothing was decided about', async () => {
    const rows = await clickhouse.query<{ name: string }>(sql`SELECT name FROM system.functions`, {
      project: 'system',
    });
    const engine = rows.map(({ name }) => name);
    expect(engine.length).toBeGreaterThan(1000);
    const decided = new Set([...allowed, ...refused]);
    expect(engine.filter((name) => !decided.has(name))).toEqual([]);
    expect([...decided].filter((name) => !engine.includes(name))).toEqual([]);
  });

  it('are not allowed and refused at the same time, in any case of letters', () => {
    const lower = new Set(refused.map((name) => name.toLowerCase()));
    expect(allowed.filter((name) => lower.has(name.toLowerCase()))).toEqual([]);
  });
});
