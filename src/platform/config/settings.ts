import { CronTime } from 'cron';
import { databaseUrl } from './database-url.js';
import { mailAddress, smtpUrl } from './mail-settings.js';
import { emailDomains, issuerUrl, projectIdList } from './oidc-settings.js';
import { type Setting, SettingError } from './setting.js';

const integer = (fallback: number, min: number, max: number, doc: string): Setting<number> => ({
  doc: `${doc} An integer from ${min} to ${max}.`,
  example: String(fallback),
  parse: (text) => {
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new SettingError(`must be an integer from ${min} to ${max}`);
    }
    return value;
  },
});

const optionalInteger = (min: number, max: number, doc: string): Setting<number | null> => ({
  doc,
  example: '',
  parse: (text) => (text === undefined ? null : integer(0, min, max, '').parse(text)),
});

const oneOf = <const T extends string>(choices: readonly T[], fallback: T, doc: string): Setting<T> => ({
  doc: `${doc} One of: ${choices.join(', ')}.`,
  example: fallback,
  parse: (text) => {
    if (text === undefined) return fallback;
    const choice = choices.find((each) => each === text);
    if (!choice) throw new SettingError(`must be one of ${choices.join(', ')}`);
    return choice;
  },
});

const flag = (doc: string): Setting<boolean> => ({
  doc: `${doc} 1 or 0.`,
  example: '0',
  parse: (text) => {
    if (text === undefined || text === '0' || text === 'false') return false;
    if (text === '1' || text === 'true') return true;
    throw new SettingError('must be 1 or 0');
  },
});

const text = (fallback: string, doc: string, pattern?: { matches: RegExp; rule: string }): Setting<string> => ({
  doc,
  example: fallback,
  parse: (text) => {
    if (text !== undefined && pattern && !pattern.matches.test(text)) throw new SettingError(pattern.rule);
    return text ?? fallback;
  },
});

const url = (protocols: readonly string[], doc: string): Setting<URL | null> => ({
  doc,
  example: '',
  parse: (text) => {
    if (text === undefined) return null;
    const parsed = URL.canParse(text) ? new URL(text) : null;
    if (!parsed || !protocols.includes(parsed.protocol) || !parsed.hostname) {
      throw new SettingError(`must be a URL that begins with ${protocols.map((name) => `${name}//`).join(' or ')}`);
    }
    return parsed;
  },
});

const origin = (doc: string): Setting<URL | null> => ({
  doc,
  example: '',
  parse: (text) => {
    const parsed = url(['http:', 'https:'], doc).parse(text);
    if (parsed && parsed.href !== `${parsed.origin}/`)
      throw new SettingError('must be a scheme and a host only, such as https://kohort.example.com');
    return parsed;
  },
});

const contact = (doc: string): Setting<string | null> => ({
  doc,
  example: '',
  parse: (text) => {
    if (text === undefined) return null;
    const isAddress = /^(?:mailto:)?[^\s@:]+@[^\s@:]+$/.test(text);
    const isPage = /^https:\/\/\S+$/.test(text) && URL.canParse(text);
    if (!isAddress && !isPage) throw new SettingError('must be an e-mail address, or the https:// address of a page');
    return isPage || text.startsWith('mailto:') ? text : `mailto:${text}`;
  },
});

const identifier = (doc: string): Setting<string | null> => ({
  doc,
  example: '',
  parse: (text) => {
    if (text !== undefined && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) {
      throw new SettingError('must be a name of letters, digits and underscores');
    }
    return text ?? null;
  },
});

const keyBytes = 32;

const encryptionKey = (doc: string): Setting<Buffer | null> => ({
  doc,
  example: '',
  parse: (text) => {
    if (text === undefined) return null;
    const key = Buffer.from(text, 'base64');
    if (key.length !== keyBytes || !/^[A-Za-z0-9+/]{43}=?$/.test(text)) {
      throw new SettingError('must be 32 random bytes in base64, as `openssl rand -base64 32` prints them');
    }
    return key;
  },
});

const optionalText = (doc: string): Setting<string | null> => ({ doc, example: '', parse: (text) => text ?? null });

/** Express's `trust proxy`: none, a number of hops, or the proxies' addresses. */
const trustedProxy = (doc: string): Setting<false | number | string[]> => ({
  doc,
  example: '',
  parse: (text) => {
    if (text === undefined || text === '0' || text === 'false') return false;
    if (/^\d+$/.test(text)) return Number(text);
    const proxies = text.split(',').map((proxy) => proxy.trim());
    const known = /^(loopback|linklocal|uniquelocal|[0-9a-fA-F.:]+(\/\d{1,3})?)$/;
    if (!proxies.every((proxy) => known.test(proxy))) {
      throw new SettingError('must be a number of hops or a comma-separated list of addresses and subnets');
    }
    return proxies;
  },
});

const cronRule = 'must be a cron expression of five fields that comes true now and then, such as "0 5 * * 0"';
const cron = (fallback: string, doc: string): Setting<string> => ({
  doc,
  example: fallback,
  parse: (text) => {
    if (text === undefined) return fallback;
    const fields = text.split(/\s+/);
    // With six fields the first would be seconds.
    if (fields.length !== 5) throw new SettingError(cronRule);
    try {
      // Also refuses well-formed expressions that never occur, such as the 31st of February.
      new CronTime(fields.join(' '), 'UTC').getNextDateFrom(new Date(), 'UTC');
    } catch {
      throw new SettingError(cronRule);
    }
    return fields.join(' ');
  },
});

/** `key=value` pairs, separated by commas, whose values may be percent-encoded, as OpenTelemetry writes them. */
const pairs = (doc: string): Setting<Readonly<Record<string, string>>> => ({
  doc,
  example: '',
  parse: (text = '') => {
    const values: Record<string, string> = {};
    for (const pair of text.split(',').filter((part) => part.trim() !== '')) {
      const [, key, value = ''] = /^\s*([^\s=]+)\s*=(.*)$/.exec(pair) ?? [];
      if (key === undefined) throw new SettingError('must be a comma-separated list of key=value');
      try {
        values[key] = decodeURIComponent(value.trim());
      } catch {
        throw new SettingError('must have values that are plain or percent-encoded');
      }
    }
    return values;
  },
});

const addressOrName = { matches: /^[A-Za-z0-9.:-]+$/, rule: 'must be an address or host name' };

/** Every variable that the service reads, in the order of `.env.example`. */
export const settings = {
  NODE_ENV: oneOf(
    ['development', 'test', 'production'],
    'development',
    'Production starts empty: no demo project, no test clock, no placeholder passwords.',
  ),
  PORT: integer(3000, 0, 65535, 'The port on which HTTP listens; 0 takes any free port.'),
  HOST: text(
    '127.0.0.1',
    'The address on which HTTP listens; 0.0.0.0 for every interface, as in the container.',
    addressOrName,
  ),
  PUBLIC_URL: origin(
    'Where people and programs reach the service, such as https://kohort.example.com. Every link in answers begins with it. Unset: links follow the header Host of each request.',
  ),
  SECURITY_CONTACT: contact(
    'Where to report a weakness of this installation, such as security@example.com or a page: /.well-known/security.txt says it. Unset: there is no such file.',
  ),
  METRICS_PORT: optionalInteger(
    1,
    65_535,
    'Where Prometheus metrics are served, from 1 to 65535, at /metrics instead of on PORT. Unset: on PORT.',
  ),
  METRICS_HOST: text('127.0.0.1', 'The address on which METRICS_PORT listens.', addressOrName),
  ROLE: oneOf(
    ['all', 'api', 'worker'],
    'all',
    'The work of this process: answer HTTP (api), work in the background (worker), or both. api and worker need DATABASE_URL and CLICKHOUSE_URL.',
  ),
  DATA_DIR: text('./data', 'The folder for the files of the embedded stores. One process at a time.'),
  DATABASE_URL: databaseUrl(
    'PostgreSQL 15 or newer, such as postgres://kohort:secret@db:5432/kohort. Several hosts, as in db1:5432,db2:5432, are servers of which one takes writes and the others follow. Unset: an embedded PostgreSQL in DATA_DIR.',
  ),
  DATABASE_PASSWORD: optionalText('The password for DATABASE_URL, in any characters. Unset: the one in the URL.'),
  DATABASE_POOL_SIZE: integer(
    16,
    12,
    500,
    'The connections to PostgreSQL that one process may open, beside one that shows whether it answers. All processes together must stay below its max_connections.',
  ),
  ALLOW_UNSAFE_DATABASE: flag(
    'Takes the PostgreSQL of DATABASE_URL as it is set, even if a crash of the server then loses acknowledged events. Otherwise the start is refused where fsync or full_page_writes is off, and the service waits for the disk where synchronous_commit is off.',
  ),
  MEMORY_BUDGET_MB: optionalInteger(
    640,
    1_048_576,
    'Mebibytes, 640 or more, that the process and its embedded stores divide among them. Unset: the limit of the container, or else what the machine has.',
  ),
  CLICKHOUSE_URL: url(
    ['http:', 'https:'],
    'ClickHouse over HTTP with the database as path, such as http://kohort:secret@clickhouse:8123/kohort. Unset: embedded in DATA_DIR.',
  ),
  CLICKHOUSE_PASSWORD: optionalText('The password for CLICKHOUSE_URL, in any characters. Unset: the one in the URL.'),
  CLICKHOUSE_CLUSTER: identifier(
    'Name of the ClickHouse cluster to create replicated tables on. Needs CLICKHOUSE_URL.',
  ),
  LOG_LEVEL: oneOf(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
    'The least severe log lines to write.',
  ),
  TRUST_PROXY: trustedProxy(
    'Proxies whose X-Forwarded-* headers are believed: a number of hops, or addresses and subnets such as "loopback, 10.0.0.0/8". Unset: none.',
  ),
  CONSOLE: oneOf(
    ['on', 'off'],
    'on',
    'Whether people can sign in. off removes users’ sessions, members, invitations and the console: only API keys are left.',
  ),
  SHUTDOWN_DELAY_MS: integer(
    0,
    0,
    120_000,
    'How long the process still takes requests after SIGTERM while /_readyz already answers 503, so that balancers notice before the port closes: longer than two of their probes.',
  ),
  MAX_CONNECTIONS: integer(
    2000,
    1,
    100_000,
    'Connections that are open at the same time in one process; one more is closed at once.',
  ),
  MAX_CONNECTIONS_PER_ADDRESS: integer(
    500,
    1,
    100_000,
    'The same for one remote address, or one IPv6 /64 network. Proxies that TRUST_PROXY names have no limit of their own.',
  ),
  RATE_LIMIT_PER_MINUTE: integer(
    6000,
    0,
    1_000_000,
    'Requests a user may make per minute and process (see RATE_LIMIT_SHARED), with all of the user’s keys together; 0 switches the limit off.',
  ),
  RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: integer(
    600,
    0,
    1_000_000,
    'Requests without a valid key or project token that one remote address, or one IPv6 /64 network, may make per minute and process; health checks do not count. 0 switches the limit off. Behind a proxy set TRUST_PROXY, because without it all clients have the proxy’s address.',
  ),
  RATE_LIMIT_SHARED: flag(
    'Counts the limits of requests and of sign-ins in PostgreSQL, so that they hold for all processes together. Each process takes a fiftieth of a limit at a time.',
  ),
  SIGN_IN_ATTEMPTS: integer(
    10,
    0,
    100_000,
    'Failed sign-ins of one account in 15 minutes and process; one remote address, or one IPv6 /64 network, may have ten times as many. 0 switches the limits off.',
  ),
  OIDC_ISSUER: issuerUrl(
    'The provider of single sign-on: an OpenID Connect issuer such as https://login.example.com/realms/staff. Needs the next three. Its redirect URI for Kohort is /api/sessions/oidc/callback below the address of the service. Unset: no single sign-on.',
  ),
  OIDC_CLIENT_ID: optionalText('The client that the provider has for Kohort.'),
  OIDC_CLIENT_SECRET: optionalText('The secret of that client.'),
  OIDC_ALLOWED_DOMAINS: emailDomains(
    'Who may sign in by the provider: the domains of e-mails, with commas between, or * for each account of the provider.',
  ),
  OIDC_NAME: optionalText('The name of the provider on the sign-in page. Unset: the host of OIDC_ISSUER.'),
  OIDC_NEW_USER_PROJECTS: projectIdList(
    'Ids of the projects whose members new users of the provider become, with commas between. Unset: none, until an administrator adds them.',
  ),
  OIDC_NEW_USER_ROLE: oneOf(['viewer', 'member', 'admin'], 'viewer', 'The role of new users in these projects.'),
  OIDC_ASSUME_VERIFIED_EMAILS: flag(
    'Admits accounts of which the provider does not say whether the e-mail is verified, as Microsoft Entra ID does not. Right only if administrators of the provider set the e-mails. Such an account never gets the user that exists with its e-mail.',
  ),
  KOHORT_KEY: optionalText(
    'The API key (phx_…) with which the command `mcp` speaks to a service. The service itself does not need it.',
  ),
  POSTHOG_KEY: optionalText(
    'The personal API key of PostHog with which the command `import --from posthog` reads a project there. The service itself does not need it.',
  ),
  CAPTURE_EVENTS_PER_SECOND: integer(
    20_000,
    0,
    1_000_000,
    'Events a project may capture per second and process, as the average of a minute; SDKs send again what is refused. An import does not count. 0 switches the limit off.',
  ),
  PROJECTION_WAIT_MS: integer(
    2000,
    0,
    60_000,
    'How long a question waits for its own project’s newest events before it answers without them.',
  ),
  SLOW_QUESTION_MS: integer(
    5000,
    0,
    3_600_000,
    'A question, export or calculation of a cohort that keeps ClickHouse so long, with its wait, has a line in the log: the statement without its values, and what it took. 0 writes none.',
  ),
  DELETION_SCHEDULE: cron(
    '0 5 * * 0',
    'When the events of deleted persons are removed: a cron expression of five fields in UTC.',
  ),
  COHORT_REFRESH_MINUTES: integer(15, 1, 10_080, 'The age at which a dynamic cohort is calculated again.'),
  BACKUP_KEY: encryptionKey(
    'Encrypts what `npm run cli -- backup` writes, and reads it again: 32 random bytes in base64, as `openssl rand -base64 32` prints them. Nothing can be restored without it, so keep it apart from the backups. Unset: backups are not encrypted.',
  ),
  BACKUP_TO: optionalText(
    'A folder of its own, or s3://bucket/prefix, into which the service makes a backup at each moment of BACKUP_SCHEDULE; each shares files with the one before. A process with ROLE=worker or ROLE=all makes it. Unset: no backups by themselves.',
  ),
  BACKUP_SCHEDULE: cron('0 3 * * *', 'When a backup is made: a cron expression of five fields in UTC.'),
  BACKUP_KEEP: integer(7, 1, 1000, 'How many of these backups stay; older ones are removed after the next one.'),
  WAL_ARCHIVE_DIR: optionalText(
    'A folder outside of DATA_DIR, best on another disk: the embedded PostgreSQL archives its write-ahead log there, with base backups, and `npm run cli -- recover` goes back to any moment. Unset: no archive.',
  ),
  WAL_ARCHIVE_DAYS: integer(7, 1, 365, 'How many days back a recovery from WAL_ARCHIVE_DIR can go.'),
  EVENT_LOG_HOT_DAYS: optionalInteger(
    1,
    36_500,
    'After so many days in UTC, the properties of events move from PostgreSQL into files of Parquet in EVENT_ARCHIVE. Unset: all stay in PostgreSQL.',
  ),
  EVENT_ARCHIVE: optionalText(
    'Where archived properties are: a folder that all processes share, or s3://bucket/prefix. It belongs to the database: without it, events that are in it cannot be read.',
  ),
  AWS_ACCESS_KEY_ID: optionalText(
    'The key of a bucket in S3, or a service with its interface, to which backups and archived events go.',
  ),
  AWS_SECRET_ACCESS_KEY: optionalText('Its secret.'),
  AWS_SESSION_TOKEN: optionalText('The token that belongs to a temporary key.'),
  AWS_REGION: text('us-east-1', 'The region of the bucket.'),
  AWS_ENDPOINT_URL: url(
    ['http:', 'https:'],
    'The address of another service than Amazon S3, such as http://minio:9000; the bucket is the first part of the path.',
  ),
  WEBHOOK_ALLOW_PRIVATE: flag(
    'Lets webhooks call addresses that are not public, such as those of this machine and its network: every user who may make a webhook reaches them then.',
  ),
  SMTP_URL: smtpUrl(
    'The server that takes e-mails about alerts, such as smtps://user:secret@mail.example.com:465, user and password percent-encoded. smtp:// (port 587) begins without TLS and asks for STARTTLS; with a password it must succeed. Needs MAIL_FROM. Unset: no e-mail is sent.',
  ),
  MAIL_FROM: mailAddress('The sender of e-mails, such as Kohort <alerts@example.com>.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(
    ['http:', 'https:'],
    'Where OpenTelemetry traces and metrics are sent over OTLP, such as http://collector:4318: to v1/traces and v1/metrics below it. Unset: nothing is sent, and nothing of OpenTelemetry is loaded. Its SDK reads other standard variables itself, such as OTEL_TRACES_SAMPLER.',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url(['http:', 'https:'], 'The whole URL for traces, instead of the one above.'),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: url(['http:', 'https:'], 'The whole URL for metrics, instead of the one above.'),
  OTEL_EXPORTER_OTLP_HEADERS: pairs(
    'Headers of what is sent, such as api-key=secret; key=value pairs with commas between.',
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(['http/json'], 'http/json', 'The form in which OTLP is sent.'),
  OTEL_EXPORTER_OTLP_TIMEOUT: integer(
    10_000,
    100,
    60_000,
    'Milliseconds after which a sending is given up, with its repetitions.',
  ),
  OTEL_TRACES_EXPORTER: oneOf(['otlp', 'none'], 'otlp', 'none sends no traces.'),
  OTEL_METRICS_EXPORTER: oneOf(['otlp', 'none'], 'otlp', 'none sends no metrics.'),
  OTEL_METRIC_EXPORT_INTERVAL: integer(60_000, 100, 3_600_000, 'Milliseconds from one sending of metrics to the next.'),
  OTEL_SERVICE_NAME: text('kohort', 'The name of this service in traces and metrics.'),
  OTEL_RESOURCE_ATTRIBUTES: pairs('Further attributes of this process, such as deployment.environment.name=staging.'),
  OTEL_SDK_DISABLED: flag('Sends neither traces nor metrics.'),
  ALLOW_TEST_CLOCK: flag('Lets X-Test-Now set the clock of one request. Refused in production.'),
} as const satisfies Record<string, Setting<unknown>>;

export type Settings = { readonly [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['parse']> };
