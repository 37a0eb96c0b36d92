import { type INestApplicationContext } from '@nestjs/common';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BootstrapService, type Bootstrapped } from './auth/bootstrap.service.js';
import { type Logger } from './common/logging/logger.js';
import { type Config } from './config/config.js';
import { ProjectsService } from './projects/projects.service.js';

/**
 * An installation without a project is of no use: outside production it gets a demo project, in production the operator
 * gets advice. This runs before HTTP listens, so that the file exists once the service is ready; it returns the text to
 * print once the URL is known.
 */
export const firstStart = async (
  app: INestApplicationContext,
  config: Config,
  logger: Logger,
): Promise<((url: string) => string) | null> => {
  if (!config.servesApi) return null;
  if (config.production) {
    if (!(await app.get(ProjectsService).exists())) {
      logger.warn(
        'there is no project yet: run `npm run cli -- bootstrap --email you@example.com --project "My project"` for a project and a key',
      );
    }
    return null;
  }
  const made = await app
    .get(BootstrapService)
    .bootstrap({ projectName: 'Demo', email: 'demo@kohort.local', keyLabel: 'demo' }, new Date());
  if (!made) return null;
  await writeBootstrapFile(config.dataDir, made);
  return (url) => welcome(made, url, join(config.dataDir, 'bootstrap.json'));
};

const writeBootstrapFile = async (dataDir: string, made: Bootstrapped): Promise<void> => {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(join(dataDir, 'bootstrap.json'), `${JSON.stringify(made)}\n`, { mode: 0o600 });
};

const welcome = (made: Bootstrapped, url: string, file: string): string => `
  A demo project is ready.

    API docs       ${url}/docs      press Authorize and paste the key
    API key        ${made.personal_api_key}
    Project token  ${made.project_token}      for SDKs
    Project id     ${made.project_id}

  Also in ${file}. The key is not shown again.

`;
