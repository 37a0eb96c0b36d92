import { type INestApplicationContext } from '@nestjs/common';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BootstrapService, type Bootstrapped } from './bootstrap.service.js';
import { linkOf, OneTimeLinks } from '../../auth/links/one-time-links.js';
import { UsersService } from '../../auth/users/users.service.js';
import { type Logger } from '../../platform/telemetry/logger.js';
import { type Config } from '../../platform/config/config.js';
import { withoutPassword } from '../../platform/config/database-url.js';
import { ProjectsService } from '../../projects/projects.service.js';

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
  const link = await signInLink(app, config, url);
  const consoleAt = consoleLines(config, url, link);
  if (!made) return banner(url, (await exists(file)) ? file : null, consoleAt);
  await writeBootstrapFile(config.dataDir, made);
  return welcome(made, url, file, consoleAt);
};

/**
 * Each start in development prints a link of its own, for the person at the terminal: it signs the first owner in, once and
 * within 10 minutes. It goes to no log and to no file.
 */
export const signInLink = async (app: INestApplicationContext, config: Config, url: string): Promise<string | null> => {
  if (!config.console || config.production) return null;
  const owner = await app.get(UsersService).firstOwner();
  if (!owner) return null;
  const { token } = await app.get(OneTimeLinks).make(owner.id, 'sign_in', new Date());
  return linkOf(config.publicOrigin ?? url, 'signin', token);
};

export const consoleLines = (config: Config, url: string, link: string | null): string =>
  link === null
    ? ''
    : `    Console        ${link}      signs in once, within 10 minutes
                   for a new link: ${newLinkCommand(config, url)}\n`;

/**
 * Names the settings of this service in the command, because a second terminal with other settings would make a link of another
 * installation. The password of the database is not shown: the operator has to add it.
 */
export const newLinkCommand = ({ dataDir, databaseUrl }: Config, url: string): string => {
  const port = new URL(url).port;
  const settings = [
    ...(databaseUrl === null ? [] : [`DATABASE_URL=${quoted(withoutPassword(databaseUrl))}`]),
    `DATA_DIR=${quoted(dataDir)}`,
    ...(port === defaultPort ? [] : [`PORT=${port}`]),
  ];
  return [...settings, 'npm run -s cli -- user sign-in-link'].join(' ');
};

const defaultPort = '3000';

/** One word for a shell. */
const quoted = (text: string): string => (/^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

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

const welcome = (made: Bootstrapped, url: string, file: string, consoleAt: string): string => `
  A demo project is ready.

${consoleAt}    API docs       ${url}/docs      press Authorize and paste the key
    API key        ${made.personal_api_key}
    Project token  ${made.project_token}      for SDKs
    Project id     ${made.project_id}

  Also in ${file}. The key is not shown again.

`;

const banner = (url: string, file: string | null, consoleAt: string): string => `
  Kohort is ready.

${consoleAt}    API docs       ${url}/docs      press Authorize and paste the key
    API key        ${file ?? 'npm run cli -- key create   makes one; a key is shown only once'}

`;
