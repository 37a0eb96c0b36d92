import { ConfigError } from './src/platform/config/config.js';
import { readProcessEnvironment } from './src/platform/config/process-environment.js';
import { entities } from './src/app/entities.js';
import { postgresDataSource } from './src/kernel/stores/data-source.js';
import { runningEmbeddedPostgres } from './src/platform/postgres/embedded/server.js';

/** For TypeORM's own command line: `npx typeorm -d dist/ormconfig.js migration:show`. */
const { config } = readProcessEnvironment();
const url = config.databaseUrl ?? (await runningEmbeddedPostgres(config.dataDir));
if (!url) throw new ConfigError('set DATABASE_URL, or start the service first: its embedded PostgreSQL is not running');

export default postgresDataSource(url, entities);
