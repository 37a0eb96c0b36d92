import { type INestApplicationContext } from '@nestjs/common';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BootstrapService, type Bootstrapped } from './auth/bootstrap.service.js';
import { type Logger } from './common/logging/logger.js';
import { type Config } from './config/config.js';
import { ProjectsService } from './projects/projects.service.js';

/**
 * An installation without a project is of no use: outside production it gets a demo project, in production the operator
 * gets advice. Returns the text to print, which says where to go on; production only writes log lines.
 */
export const firstStart = async (
  app: INestApplicationContext,
  config: Config,
  url: string,
  logger: Logger,
): Promise<string | null> => {
  if (!config.servesApi) return null;
  if (config.production) {
    if (!(await app.get(ProjectsService).exists())) {
      logger.warn(
        'there is no project yet: run `npm run cli -- bootstrap --email you@example.com --project "My project"` for a project and a key',
      );
    }
    return null;
  }
  const file = bootstrapFile(config);
  const made = await app
    .get(BootstrapService)
    .bootstrap({ projectName: 'Demo', email: 'demo@kohort.local', keyLabel: 'demo' }, new Date());
  if (!made) return banner(url, (await exists(file)) ? file : null);
  await writeBootstrapFile(config.dataDir, made);
  return welcome(made, url, file);
};

export const bootstrapFile = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'bootstrap.json');

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

const writeBootstrapFile = async (dataDir: string, made: Bootstrapped): Promise<void> => {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(bootstrapFile({ dataDir }), `${JSON.stringify(made)}\n`, { mode: 0o600 });
};

const welcome = (made: Bootstrapped, url: string, file: string): string => `
  A demo project is ready.

    API docs       ${url}/docs      press Authorize and paste the key
    API key        ${made.personal_api_key}
    Project token  ${made.project_token}      for SDKs
    Project id     ${made.project_id}

  Also in ${file}. The key is not shown again.

`;

const banner = (url: string, file: string | null): string => `
  Kohort is ready.

    API docs       ${url}/docs      press Authorize and paste the key
    API key        ${file ?? 'npm run cli -- key create   makes one; a key is shown only once'}

`;
