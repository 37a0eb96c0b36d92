import { ConfigError } from './src/config/config.js';
import { readProcessEnvironment } from './src/config/process-environment.js';
import { entities } from './src/entities.js';
import { postgresDataSource } from './src/stores/postgres/data-source.js';
import { runningEmbeddedPostgres } from './src/stores/postgres/embedded/server.js';

/** For TypeORM's own command line: `npx typeorm -d dist/ormconfig.js migration:show`. */
const { config } = readProcessEnvironment();
const url = config.databaseUrl ?? (await runningEmbeddedPostgres(config.dataDir));
if (!url) throw new ConfigError('set DATABASE_URL, or start the service first: its embedded PostgreSQL is not running');

export default postgresDataSource(url, entities);
