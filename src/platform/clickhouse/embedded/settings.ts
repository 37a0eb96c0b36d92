import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { type MemoryShares } from '../../config/memory-shares.js';

/** The port of the engine, with the user, password and database of its clients. */
export interface EngineAccess {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/**
 * Limits threads, because the engine expects a machine of its own: by default it would delete files with 128 threads, which never
 * end. `cacheParts` limits its caches, each of which would keep up to 5 GiB.
 */
const threadLimits = {
  max_parts_cleaning_thread_pool_size: 2,
  max_outdated_parts_loading_thread_pool_size: 2,
  max_unexpected_parts_loading_thread_pool_size: 2,
  max_active_parts_loading_thread_pool_size: 8,
  max_thread_pool_free_size: 32,
};

/** By default the engine compares its memory with that of its process twenty times a second, also while it does nothing. */
const rareChecks = { memory_worker_period_ms: 1000 };

/** The share of each cache, in twenty-eighths of the memory of all caches. */
const cacheParts = {
  mark_cache_size: 8,
  index_mark_cache_size: 2,
  primary_index_cache_size: 8,
  text_index_tokens_cache_size: 2,
  text_index_header_cache_size: 2,
  text_index_postings_cache_size: 4,
  query_condition_cache_size: 1,
  compiled_expression_cache_size: 1,
};

/**
 * Merges few parts at a time, with few rows and one column in memory: this needs a quarter less memory and about a tenth more
 * time. Buffers for written columns start small, also in tables with few columns.
 */
const smallMerges = (parts: number) => ({
  max_parts_to_merge_at_once: parts,
  merge_max_block_size: 1024,
  min_columns_to_activate_adaptive_write_buffer: 1,
  vertical_merge_algorithm_min_rows_to_activate: 1,
  vertical_merge_algorithm_min_columns_to_activate: 1,
});

/** No merge starts while others use a quarter of the memory of the engine. */
const fewMerges = (engine: number) => ({
  background_merges_mutations_concurrency_ratio: 1,
  merges_mutations_memory_usage_soft_limit: Math.round(engine / 4),
});

/** Grants what the service does with the engine; the engine itself refuses files, addresses and other servers. */
const grants = (database: string): readonly string[] => [
  `GRANT ALL ON ${database}.*`,
  'GRANT TABLE ENGINE ON *',
  'GRANT CREATE TEMPORARY TABLE ON *.*',
  'GRANT SELECT ON system.*',
  'GRANT KILL QUERY ON *.*',
];

type Element = string | number | { readonly [name: string]: Element | readonly Element[] };

const xml = (elements: Readonly<Record<string, Element | readonly Element[]>>): string =>
  Object.entries(elements)
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? (value as readonly Element[]) : [value as Element]).map((each) => [name, each] as const),
    )
    .map(([name, value]) => `<${name}>${typeof value === 'object' ? xml(value) : value}</${name}>`)
    .join('');

/** The header that each request must have. Without it, the engine answers as if no handler existed. */
const authorization = ({ user, password }: EngineAccess): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

const onlyLocal = { networks: { ip: '127.0.0.1' }, profile: 'default', quota: 'default' };

/**
 * The session of the engine itself, which makes it listen, belongs to the user `default`, who cannot have a password. The rule of
 * the HTTP handlers, which requires the header of the other user, keeps clients from that user.
 */
const accessSettings = (access: EngineAccess) => ({
  listen_host: '127.0.0.1',
  // Longer than the client keeps an idle connection, also on a busy machine.
  keep_alive_timeout: 60,
  http_port: access.port,
  http_handlers: {
    rule: {
      headers: { Authorization: authorization(access) },
      handler: { type: 'dynamic_query_handler', query_param_name: 'query' },
    },
  },
  users: {
    default: {
      no_password: '',
      ...onlyLocal,
      grants: { query: ['GRANT SYSTEM LISTEN ON *.*', 'GRANT SELECT ON system.*'] },
    },
    [access.user]: {
      password_sha256_hex: createHash('sha256').update(access.password).digest('hex'),
      ...onlyLocal,
      grants: { query: grants(access.database) },
    },
  },
  profiles: { default: '' },
  quotas: { default: '' },
});

/**
 * Added to the memory limit, because the engine counts the used pages of its program as part of its memory. Without this, a small
 * limit would be reached before the first statement.
 */
const bytesOfProgram = 224 * 1024 ** 2;

export const mostResident = (engine: number): number => Math.round(engine + bytesOfProgram);

const memorySettings = ({ engine, engineCaches, partsOfMerge }: MemoryShares) => ({
  ...Object.fromEntries(
    Object.entries(cacheParts).map(([name, part]) => [name, Math.round((engineCaches * part) / 28)]),
  ),
  ...(engine === null ? {} : { max_server_memory_usage: mostResident(engine) }),
  ...(engine === null || partsOfMerge === null ? {} : { ...fewMerges(engine), merge_tree: smallMerges(partsOfMerge) }),
});

/**
 * Keeps the engine running, which otherwise ends after its last statement. The engine looks at the progress of this statement
 * once an hour, instead of ten times a second.
 */
const forEver = `SELECT sleepEachRow(3) FROM system.numbers FORMAT Null
  SETTINGS max_block_size = 1, max_execution_time = 0, interactive_delay = ${3600 * 1_000_000}`;

/** Writes the file of settings next to the folder, and returns the arguments of an engine with these settings. */
export const engineArguments = async (
  path: string,
  memory: MemoryShares,
  access: EngineAccess,
): Promise<readonly string[]> => {
  const file = `${path}-settings.xml`;
  const settings = {
    users_config: file,
    ...threadLimits,
    ...rareChecks,
    ...memorySettings(memory),
    ...accessSettings(access),
  };
  await writeFile(file, `<clickhouse>${xml(settings)}</clickhouse>\n`, { mode: 0o600 });
  return ['clickhouse', '--path', path, '--config-file', file, '--query', `SYSTEM START LISTEN HTTP; ${forEver}`];
};
