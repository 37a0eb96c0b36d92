import { type NestExpressApplication } from '@nestjs/platform-express';
import { type OpenAPIObject } from '@nestjs/swagger';
import { type AddressInfo } from 'node:net';
import { openApiDocument } from '../../src/app/openapi/app.openapi.js';
import { createService } from '../../src/app/app.setup.js';
import { KeysService } from '../../src/auth/keys/keys.service.js';
import { UsersService } from '../../src/auth/users/users.service.js';
import { createLogger, type Logger } from '../../src/platform/telemetry/logger.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { ProjectsService } from '../../src/projects/projects.service.js';
import { freshStores } from './fresh-stores.js';
import { serviceHandle, type ServiceHandle } from './service-handle.js';
import { testSettings } from './test-settings.js';

export type { Answer, NewKey } from './service-handle.js';

/** In the process of the test, so that the test reaches its parts. */
export interface TestService extends ServiceHandle {
  readonly app: NestExpressApplication;
}

/** Built once a worker: it follows from the decorators, and from the settings that take routes away. */
const documents = new Map<string, OpenAPIObject>();

const documentOf = (app: NestExpressApplication, env: Readonly<Record<string, string>>): OpenAPIObject => {
  const routes = JSON.stringify([env.METRICS_PORT !== undefined, env.CONSOLE, env.OIDC_ISSUER]);
  const document = documents.get(routes) ?? openApiDocument(app);
  documents.set(routes, document);
  return document;
};

/**
 * The real application on a database of its own. A test that needs neither settings nor parts of the application takes
 * `sharedService`, which starts nothing.
 */
export const startTestService = async (
  env: Readonly<Record<string, string>> = {},
  logger: Logger = createLogger({ logLevel: 'error' }),
): Promise<TestService> => {
  const stores = await freshStores();
  const config = loadConfig({ ...testSettings, ...stores.env, ...env });
  const service = await createService(config, logger);
  const { app } = service;
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
  const handle = await serviceHandle({
    url: `http://127.0.0.1:${port}`,
    databaseUrl: stores.databaseUrl,
    email: 'ada@example.test',
    document: documentOf(app, env),
    newKey: async ({ scopes = ['*'], projectIds = null, expiresAt = null, email }) => {
      const user = await app.get(UsersService).getOrCreate(email, new Date());
      const key = { userId: user.id, label: 'test', scopes, projectIds, expiresAt };
      const made = await app.get(KeysService).create(key, new Date());
      return { text: made.value ?? '', id: made.id };
    },
    newProject: (name) => app.get(ProjectsService).create({ name }, new Date()),
    stop: async () => {
      await service.stop();
      await stores.remove();
    },
  });
  return { ...handle, app };
};
