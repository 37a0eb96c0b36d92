import { resolve, sep } from 'node:path';
import { mailFaults, mailOf, type MailConfig } from './mail-settings.js';
import { oidcFaults, oidcOf, type OidcConfig } from './oidc.js';
import { s3Of, type S3Config } from './s3.js';
import { SettingError } from './setting.js';
import { settings, type Settings } from './settings.js';
import { telemetryOf, type TelemetryConfig } from './telemetry.js';

/** The service must not start. The operator sees this message only: one line for each fault. */
export class ConfigError extends Error {}

/** The validated environment. Injected by class; frozen. */
export class Config {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  /** The origin of links in answers; null takes it from the request. */
  readonly publicOrigin: string | null;
  readonly securityContact: string | null;
  readonly role: Settings['ROLE'];
  readonly dataDir: string;
  readonly databaseUrl: URL | null;
  readonly databasePoolSize: number;
  readonly allowUnsafeDatabase: boolean;
  /** In bytes, of the process and its embedded stores together. */
  readonly memoryBudget: number | null;
  readonly clickhouseUrl: URL | null;
  readonly clickhouseCluster: string | null;
  readonly logLevel: Settings['LOG_LEVEL'];
  readonly trustProxy: Settings['TRUST_PROXY'];
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  readonly console: boolean;
  readonly signInAttempts: number;
  readonly oidc: OidcConfig | null;
  /** The API key of the command `mcp`. */
  readonly clientKey: string | null;
  /** The API key of the command `import --from posthog`. */
  readonly posthogKey: string | null;
  readonly shutdownDelayMs: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly rateLimitPerMinute: number;
  readonly rateLimitUnauthenticatedPerMinute: number;
  readonly rateLimitShared: boolean;
  readonly captureEventsPerSecond: number;
  readonly projectionWaitMs: number;
  readonly slowQuestionMs: number;
  readonly deletionSchedule: string;
  readonly cohortRefreshMinutes: number;
  readonly backupKey: Buffer | null;
  readonly s3: S3Config | null;
  /** Where the service makes backups by itself, and when. */
  readonly backups: { readonly to: string; readonly schedule: string; readonly keep: number } | null;
  /** Where the embedded PostgreSQL archives its log, and how far back a recovery must be able to go. */
  readonly walArchive: { readonly folder: string; readonly days: number } | null;
  /** The folder or bucket that has archived properties of events. */
  readonly eventArchive: string | null;
  /** Properties of events are archived after this many days; null never archives them. */
  readonly eventLogHotDays: number | null;
  readonly webhookAllowPrivate: boolean;
  readonly mail: MailConfig | null;
  readonly allowTestClock: boolean;
  readonly telemetry: TelemetryConfig;

  constructor(env: Settings) {
    this.production = env.NODE_ENV === 'production';
    this.port = env.PORT;
    this.host = env.HOST;
    this.publicOrigin = env.PUBLIC_URL?.origin ?? null;
    this.securityContact = env.SECURITY_CONTACT;
    this.role = env.ROLE;
    this.dataDir = resolve(env.DATA_DIR);
    this.databaseUrl = withPassword(env.DATABASE_URL, env.DATABASE_PASSWORD);
    this.databasePoolSize = env.DATABASE_POOL_SIZE;
    this.allowUnsafeDatabase = env.ALLOW_UNSAFE_DATABASE;
    this.memoryBudget = env.MEMORY_BUDGET_MB === null ? null : env.MEMORY_BUDGET_MB * 1024 ** 2;
    this.clickhouseUrl = withPassword(env.CLICKHOUSE_URL, env.CLICKHOUSE_PASSWORD);
    this.clickhouseCluster = env.CLICKHOUSE_CLUSTER;
    this.logLevel = env.LOG_LEVEL;
    this.trustProxy = env.TRUST_PROXY;
    this.metricsPort = env.METRICS_PORT;
    this.metricsHost = env.METRICS_HOST;
    this.console = env.CONSOLE === 'on';
    this.signInAttempts = env.SIGN_IN_ATTEMPTS;
    this.oidc = oidcOf(env);
    this.clientKey = env.KOHORT_KEY;
    this.posthogKey = env.POSTHOG_KEY;
    this.shutdownDelayMs = env.SHUTDOWN_DELAY_MS;
    this.maxConnections = env.MAX_CONNECTIONS;
    this.maxConnectionsPerAddress = env.MAX_CONNECTIONS_PER_ADDRESS;
    this.rateLimitPerMinute = env.RATE_LIMIT_PER_MINUTE;
    this.rateLimitUnauthenticatedPerMinute = env.RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE;
    this.rateLimitShared = env.RATE_LIMIT_SHARED;
    this.captureEventsPerSecond = env.CAPTURE_EVENTS_PER_SECOND;
    this.projectionWaitMs = env.PROJECTION_WAIT_MS;
    this.slowQuestionMs = env.SLOW_QUESTION_MS;
    this.deletionSchedule = env.DELETION_SCHEDULE;
    this.cohortRefreshMinutes = env.COHORT_REFRESH_MINUTES;
    this.backupKey = env.BACKUP_KEY;
    this.s3 = s3Of(env);
    const { BACKUP_TO: to, BACKUP_SCHEDULE: schedule, BACKUP_KEEP: keep } = env;
    this.backups = to === null ? null : { to, schedule, keep };
    const { WAL_ARCHIVE_DIR: archive, WAL_ARCHIVE_DAYS: days } = env;
    this.walArchive = archive ? { folder: resolve(archive), days } : null;
    this.eventArchive = env.EVENT_ARCHIVE;
    this.eventLogHotDays = env.EVENT_LOG_HOT_DAYS;
    this.webhookAllowPrivate = env.WEBHOOK_ALLOW_PRIVATE;
    this.mail = mailOf(env);
    this.allowTestClock = env.ALLOW_TEST_CLOCK;
    this.telemetry = telemetryOf(env);
    Object.freeze(this);
  }

  get servesApi(): boolean {
    return this.role !== 'worker';
  }

  get worksInBackground(): boolean {
    return this.role !== 'api';
  }
}

const withPassword = (url: URL | null, password: string | null): URL | null => {
  if (!url || password === null) return url;
  const complete = new URL(url);
  complete.password = encodeURIComponent(password);
  return complete;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** `fileOf` returns the file that sets a variable; null for the environment. Reports every fault, not only the first. */
export const loadConfig = (env: Environment, fileOf: (name: string) => string | null = () => null): Config => {
  const parsed = parseSettings(env, fileOf);
  const config = new Config(parsed);
  refuse([...contradictionsIn(config), ...oidcFaults(parsed), ...mailFaults(parsed)]);
  return config;
};

const refuse = (faults: readonly string[]): void => {
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
};

const parseSettings = (env: Environment, fileOf: (name: string) => string | null): Settings => {
  const parsed: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, setting] of Object.entries(settings)) {
    const value = env[name]?.trim() || undefined;
    try {
      parsed[name] = setting.parse(value);
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      const file = fileOf(name);
      faults.push(`${name} ${error.message}, got ${secretive(name, value)}${file === null ? '' : ` in ${file}`}`);
    }
  }
  refuse(faults);
  return parsed as Settings;
};

/** Hides values in error lines, which end up in logs: URLs and headers may contain a password, and keys are secrets. */
const secretive = (name: string, value: string | undefined): string =>
  /_(URL|ENDPOINT|HEADERS|ISSUER|KEY|KEY_ID|TOKEN|SECRET|PASSWORD)$/.test(name)
    ? 'something else'
    : JSON.stringify(value);

const placeholders = new Set([
  '',
  'password',
  'postgres',
  'secret',
  'changeme',
  'change-me',
  'default',
  'clickhouse',
  'kohort',
]);

const contradictionsIn = (config: Config): string[] => {
  const faults: string[] = [];
  if (config.metricsPort !== null && config.metricsPort === config.port) {
    faults.push(`METRICS_PORT must differ from PORT, got ${config.metricsPort} for both`);
  }
  if (config.role !== 'all' && (!config.databaseUrl || !config.clickhouseUrl)) {
    faults.push(`ROLE=${config.role} needs DATABASE_URL and CLICKHOUSE_URL: embedded stores belong to one process`);
  }
  if (config.walArchive && config.databaseUrl)
    faults.push('WAL_ARCHIVE_DIR is for the embedded PostgreSQL: let the server of DATABASE_URL archive its own log');
  if (config.walArchive && `${config.walArchive.folder}${sep}`.startsWith(`${config.dataDir}${sep}`))
    faults.push('WAL_ARCHIVE_DIR must lie outside of DATA_DIR: they must not be lost together');
  if (config.eventLogHotDays !== null && config.eventArchive === null)
    faults.push('EVENT_LOG_HOT_DAYS needs EVENT_ARCHIVE: a folder that all processes share, or s3://bucket/prefix');
  const to = config.backups?.to;
  if (to?.startsWith('s3://') && config.s3 === null)
    faults.push('BACKUP_TO needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  if (to !== undefined && `${resolve(to)}${sep}`.startsWith(`${config.dataDir}${sep}`))
    faults.push('BACKUP_TO must lie outside of DATA_DIR: they must not be lost together');
  if (config.eventArchive?.startsWith('s3://') && config.s3 === null)
    faults.push('EVENT_ARCHIVE needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  if (config.clickhouseCluster && !config.clickhouseUrl) faults.push('CLICKHOUSE_CLUSTER needs CLICKHOUSE_URL');
  return config.production ? [...faults, ...unsafeInProduction(config)] : faults;
};

const unsafeInProduction = (config: Config): string[] => [
  ...(config.allowTestClock ? ['ALLOW_TEST_CLOCK must not be set in production'] : []),
  ...(
    [
      ['DATABASE_URL', config.databaseUrl],
      ['CLICKHOUSE_URL', config.clickhouseUrl],
    ] as const
  ).flatMap(([name, url]) =>
    url && placeholders.has(decodeURIComponent(url.password).toLowerCase())
      ? [`${name} must carry a real password in production, not an empty or well-known one`]
      : [],
  ),
];
