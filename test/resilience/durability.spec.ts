import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../../src/common/logging/logger.js';
import { type ReadyDto } from '../../src/health/health.dto.js';
import { durabilityFault } from '../../src/stores/postgres/durability.js';
import { Postgres } from '../../src/stores/postgres/postgres.js';
import { startTestService, type TestService } from '../support/service.js';

const fault = 'a crash of PostgreSQL can lose what was acknowledged: set synchronous_commit to on';
const log: string[] = [];
let service: TestService;

beforeAll(async () => {
  const logger = createLogger({ logLevel: 'warn' }, { write: (line) => log.push(line) > 0 });
  // The role of the tests has synchronous_commit = off, as ALTER ROLE sets it.
  service = await startTestService({}, logger);
});
afterAll(() => service.stop());

describe('a server that acknowledges before a change is on its disk', () => {
  it('is in the log of the start, and in the answer about readiness', async () => {
    expect(log.filter((line) => line.includes(fault))).toHaveLength(1);
    const { status, body } = await service.call('GET', '/_readyz', { key: null });
    const { postgres } = (body as ReadyDto).checks;
    expect([status, postgres.ok, postgres.detail]).toEqual([200, true, expect.stringContaining(fault)]);
  });

  it('is known by the settings of the very connection, and only then', async () => {
    const found = (setting: string) =>
      service.app.get(Postgres).transaction(async (client) => {
        await client.query(`SET LOCAL synchronous_commit = ${setting}`);
        return durabilityFault(client);
      });
    const settings = ['off', 'on', 'local', 'remote_write'];
    const faults: boolean[] = [];
    for (const setting of settings) faults.push((await found(setting))?.includes('synchronous_commit') ?? false);
    expect(faults).toEqual([true, false, false, false]);
  });
});
