import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { launch, removeDir, tempDir } from '../support/process.js';
import { SharedSession } from '../support/shared-session.js';

let dir: string;
let pooler: SharedSession;

beforeAll(async () => {
  dir = await tempDir();
  pooler = await SharedSession.of(new URL(process.env.TEST_POSTGRES ?? ''));
});
afterAll(async () => {
  pooler.close();
  await removeDir(dir);
});

it('a pooler that mixes up the prepared statements of its clients is refused at the start with one line', async () => {
  const service = await launch({
    DATABASE_URL: pooler.url.href,
    ALLOW_UNSAFE_DATABASE: '1',
    DATA_DIR: dir,
    LOG_LEVEL: 'fatal',
    EVENT_ARCHIVE: join(dir, 'event-archive'),
  });
  expect([await service.exited, service.output()]).toEqual([
    { code: 1, signal: null },
    `DATABASE_URL: the pooler at ${pooler.url.host} mixes up the prepared statements of its clients: ` +
      'use PgBouncer 1.21 or newer with max_prepared_statements = 300\n',
  ]);
});
