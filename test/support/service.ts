import { type NestExpressApplication } from '@nestjs/platform-express';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import request from 'supertest';
import { openApiDocument } from '../../src/app.openapi.js';
import { createService } from '../../src/app.setup.js';
import { KeysService } from '../../src/auth/keys/keys.service.js';
import { UsersService } from '../../src/auth/users/users.service.js';
import { type GrantedScope } from '../../src/common/access/scopes.js';
import { createLogger, type Logger } from '../../src/common/logging/logger.js';
import { loadConfig } from '../../src/config/config.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { ProjectsService } from '../../src/projects/projects.service.js';
import { Documented } from './documented.js';
import { withoutRateLimits } from './rate-limits.js';

export interface CallOptions {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | readonly string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface NewKey {
  readonly scopes?: readonly GrantedScope[];
  readonly projectIds?: readonly number[] | null;
  readonly expiresAt?: Date | null;
  readonly email?: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS';

/** supertest's answer, with a body nobody has looked at yet. */
export type Answer = Omit<request.Response, 'body'> & { readonly body: unknown };

export interface TestService {
  readonly app: NestExpressApplication;
  readonly url: string;
  /** A key that may do everything, used when a call names none. */
  readonly key: string;
  readonly project: ProjectDto;
  /** Every answer is held to the OpenAPI document. */
  call(method: Method, path: string, options?: CallOptions): Promise<Answer>;
  newKey(key?: NewKey): Promise<{ text: string; id: string }>;
  newProject(name?: string): Promise<ProjectDto>;
  stop(): Promise<void>;
}

/** What a test has sent is in the answers it gets, however slow the machine is. */
const patient = { PROJECTION_WAIT_MS: '60000' };

/** The real application on a database of its own, with one project and an all-powerful key. */
export const startTestService = async (
  env: Readonly<Record<string, string>> = {},
  logger: Logger = createLogger({ logLevel: 'error' }),
): Promise<TestService> => {
  const stores = await freshStores();
  const config = loadConfig({
    NODE_ENV: 'test',
    ALLOW_TEST_CLOCK: '1',
    ...patient,
    ...withoutRateLimits,
    ...stores.env,
    ...env,
  });
  const service = await createService(config, logger);
  await service.app.listen(0, '127.0.0.1');
  const { port } = (service.app.getHttpServer() as { address(): AddressInfo }).address();
  const url = `http://127.0.0.1:${port}`;
  const documented = new Documented(openApiDocument(service.app));

  const newKey = async ({
    scopes = ['*'],
    projectIds = null,
    expiresAt = null,
    email = 'ada@example.test',
  }: NewKey = {}) => {
    const user = await service.app.get(UsersService).getOrCreate(email, new Date());
    const made = await service.app
      .get(KeysService)
      .create({ userId: user.id, label: 'test', scopes, projectIds, expiresAt }, new Date());
    return { text: made.value ?? '', id: made.id };
  };
  const newProject = (name = 'Test') => service.app.get(ProjectsService).create({ name }, new Date());
  const [{ text: key }, project] = await Promise.all([newKey(), newProject()]);

  const call = async (method: Method, path: string, options: CallOptions = {}): Promise<Answer> => {
    const { key: given = key, body, query, headers = {} } = options;
    let sent = request(url)[method.toLowerCase() as Lowercase<Method>](path);
    if (query) sent = sent.query(query);
    if (given !== null) sent = sent.set('Authorization', `Bearer ${given}`);
    for (const [name, value] of Object.entries(headers)) sent = sent.set(name, value);
    const answer = await (body === undefined ? sent : sent.send(body as object));
    if (method !== 'HEAD' && method !== 'OPTIONS') {
      documented.check(method, path.split('?')[0] ?? path, {
        ...answer,
        text: answer.text ?? '',
        headers: answer.headers,
        status: answer.status,
      });
    }
    return answer;
  };

  return {
    app: service.app,
    url,
    key,
    project,
    call,
    newKey,
    newProject,
    stop: async () => {
      await service.stop();
      await stores.remove();
    },
  };
};

/** A database copied from the run's template and owned by a role without privileges, and a folder for the embedded ClickHouse. */
export const freshStores = async (): Promise<{
  env: Record<string, string>;
  databaseUrl: URL;
  remove(): Promise<void>;
}> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'kohort-spec-'));
  const databaseUrl = new URL(process.env.TEST_POSTGRES ?? '');
  databaseUrl.pathname = `/${name}`;
  const owner = databaseUrl.username;
  await asAdmin((client) => client.query(`CREATE DATABASE ${name} TEMPLATE kohort_template OWNER ${owner}`));
  const clickhouse = process.env.TEST_CLICKHOUSE ? new URL(process.env.TEST_CLICKHOUSE) : null;
  if (clickhouse) clickhouse.pathname = `/${name}`;
  return {
    databaseUrl,
    env: {
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl.href,
      ...(clickhouse ? { CLICKHOUSE_URL: clickhouse.href } : {}),
    },
    remove: async () => {
      await asAdmin((client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

const asAdmin = async (work: (client: Client) => Promise<unknown>): Promise<void> => {
  const client = new Client({ connectionString: process.env.TEST_POSTGRES_ADMIN });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
};
