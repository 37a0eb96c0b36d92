import { writeSync } from 'node:fs';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { createService } from '../../dist/src/app/app.setup.js';
import { KeysService } from '../../dist/src/auth/keys/keys.service.js';
import { UsersService } from '../../dist/src/auth/users/users.service.js';
import { createLogger } from '../../dist/src/platform/telemetry/logger.js';
import { loadConfig } from '../../dist/src/platform/config/config.js';
import { ProjectsService } from '../../dist/src/projects/projects.service.js';
import { ClickHouse } from '../../dist/src/platform/clickhouse/client.js';
import * as tables from '../../dist/src/kernel/projection/schema/projected-tables.js';
import { onCluster, storedTable } from '../../dist/src/platform/clickhouse/schema/table.js';
import { sql } from '../../dist/src/platform/clickhouse/sql.js';

/** What the HTTP interface makes for a signed-in user only: keys of any user, and projects. */
const makers = (app) => ({
  '/keys': async ({ scopes = ['*'], projectIds = null, expiresAt = null, email }) => {
    const user = await app.get(UsersService).getOrCreate(email, new Date());
    const expiry = expiresAt === null ? null : new Date(expiresAt);
    const key = { userId: user.id, label: 'test', scopes, projectIds, expiresAt: expiry };
    const { value, id } = await app.get(KeysService).create(key, new Date());
    return { text: value, id };
  },
  // The rows of earlier specs, with every name of a property that one has sent, would be read and merged again and again.
  '/emptied': async () => {
    const clickhouse = app.get(ClickHouse);
    for (const { name } of Object.values(tables).filter(({ engine }) => engine))
      await clickhouse.command(sql`TRUNCATE TABLE ${storedTable(clickhouse.form, name)}${onCluster(clickhouse.form)}`);
    return {};
  },
  '/projects': ({ name }) => app.get(ProjectsService).create({ name }, new Date()),
});

const answering = (make) => async (request, response) => {
  try {
    response.end(JSON.stringify(await make[request.url](await json(request))));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
};

const urlOf = async (server) => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}`;
};

/** An interrupted run has no teardown. */
const endWithRun = () => {
  try {
    process.kill(Number(process.env.TEST_RUN_PID), 0);
  } catch {
    process.exit(1);
  }
};

/** The built service for all specs of one worker of jest. Writes its URL and that of the makers to file descriptor 3. */
export const serve = async () => {
  setInterval(endWithRun, 2_000).unref();
  const { app } = await createService(loadConfig(process.env), createLogger({ logLevel: 'error' }));
  const maker = createServer(answering(makers(app)));
  const urls = { url: await urlOf(app.getHttpServer()), makerUrl: await urlOf(maker) };
  writeSync(3, `${JSON.stringify(urls)}\n`);
};
