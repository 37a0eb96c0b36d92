import { expect, it } from '@jest/globals';
import { join } from 'node:path';
import { hasPostgresPair, PostgresPair } from '../support/postgres-pair.js';
import { bootstrapFile, launch, start, terminate } from '../support/process.js';
import { backWithinMs } from '../support/promised-times.js';
import { readinessOf } from '../support/readiness.js';
import { Traffic } from '../support/traffic.js';
import { until } from '../support/until.js';
import { closingAfterEach, newFolder } from './faulty-stores.fixture.js';

const closing = closingAfterEach();

(hasPostgresPair() ? it : it.skip)(
  'a process that reaches only a standby answers questions, is not ready for events, and is once the standby takes writes',
  async () => {
    const postgres = await PostgresPair.start();
    closing(() => postgres.stop());
    const dataDir = join(await newFolder(closing), 'data');
    const common = { DATA_DIR: dataDir, ALLOW_UNSAFE_DATABASE: '1', LOG_LEVEL: 'warn', PROJECTION_WAIT_MS: '300' };
    const first = await start({ ...common, DATABASE_URL: postgres.writingUrl });
    const made = await bootstrapFile(dataDir);
    const traffic = new Traffic(first, made);
    await traffic.capture(5);
    await traffic.untilRight();
    await terminate(first);

    // In development each start writes a link to sign in with.
    const service = await launch({ ...common, NODE_ENV: 'production', DATABASE_URL: postgres.followingUrl });
    closing(() => terminate(service));
    const canAnswer = () =>
      readinessOf(service).then(
        ({ can }) => can.answer,
        () => false,
      );
    await until(canAnswer, { withinMs: 40_000, failure: () => service.output() });
    expect(await readinessOf(service)).toEqual({
      status: 503,
      can: { capture: false, answer: true },
      postgres: { ok: false, detail: expect.stringContaining('it follows another server') },
    });
    const later = traffic.at(service);
    expect(await later.question()).toMatchObject({ status: 200, count: 5 });
    expect(await later.capture(3)).toMatchObject({ status: 503 });
    expect(service.output()).toContain('it follows another server, so let DATABASE_URL name the primary');
    expect(await (await fetch(`${service.url}/metrics`)).text()).toContain(
      'kohort_postgres_fault{fault="read_only"} 1',
    );

    await postgres.failOver(0);
    await until(async () => (await readinessOf(service)).status === 200, { withinMs: backWithinMs });
    await later.untilRight();
  },
  120_000,
);
