import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { ConfigError, loadConfig } from './config.js';
import { serversOf } from './database-url.js';
import { envExample } from './env-example.js';

const servers = { DATABASE_URL: 'postgres://k:Zx81@db/kohort', CLICKHOUSE_URL: 'http://k:Zx81@ch:8123/kohort' };

describe('configuration', () => {
  it('has a working default for everything', () => {
    const config = loadConfig({});
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      role: 'all',
      metricsPort: null,
      metricsHost: '127.0.0.1',
      maxConnections: 2000,
      maxConnectionsPerAddress: 500,
      rateLimitPerMinute: 6000,
      rateLimitUnauthenticatedPerMinute: 600,
      captureEventsPerSecond: 20_000,
      trustProxy: false,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('takes a password in any characters beside its URL, instead of the one in it', () => {
    const password = 'a@b:c/d?e#f%41';
    const { databaseUrl, clickhouseUrl } = loadConfig({
      DATABASE_URL: 'postgres://k@db1,db2/kohort',
      DATABASE_PASSWORD: password,
      CLICKHOUSE_URL: 'http://k:old@ch:8123/kohort',
      CLICKHOUSE_PASSWORD: password,
    });
    const urls = [...serversOf(databaseUrl as URL), clickhouseUrl as URL];
    expect(urls.map(({ hostname, password: found }) => [hostname, decodeURIComponent(found)])).toEqual([
      ['db1', password],
      ['db2', password],
      ['ch', password],
    ]);
  });

  it.each([
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['PORT', '3000.5'],
    ['HOST', 'a b'],
    ['PUBLIC_URL', 'kohort.example.com'],
    ['SECURITY_CONTACT', 'the operator'],
    ['SECURITY_CONTACT', 'http://example.com/security'],
    ['PUBLIC_URL', 'https://kohort.example.com/analytics'],
    ['SMTP_URL', 'mail.example.com:587'],
    ['SMTP_URL', 'https://mail.example.com'],
    ['SMTP_URL', 'smtp://ada@mail.example.com'],
    ['SMTP_URL', 'smtps://ada:secret@mail.example.com/?tls.rejectUnauthorized=false'],
    ['SMTP_URL', 'smtps://ada:%zz@mail.example.com'],
    ['MAIL_FROM', 'Kohort'],
    ['MAIL_FROM', 'a@example.com, b@example.com'],
    ['MAIL_FROM', 'Kohort\nBcc: x <a@example.com>'],
    ['ROLE', 'both'],
    ['NODE_ENV', 'prod'],
    ['LOG_LEVEL', 'loud'],
    ['DATABASE_URL', 'mysql://h/d'],
    ['CLICKHOUSE_URL', 'clickhouse:9000'],
    ['CLICKHOUSE_CLUSTER', "a'b"],
    ['TRUST_PROXY', 'everyone'],
    ['RATE_LIMIT_PER_MINUTE', '-1'],
    ['RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE', 'none'],
    ['CAPTURE_EVENTS_PER_SECOND', '1.5'],
    ['MAX_CONNECTIONS', '0'],
    ['DATABASE_POOL_SIZE', '4'],
    ['ALLOW_UNSAFE_DATABASE', 'maybe'],
    ['SHUTDOWN_DELAY_MS', '120001'],
    ['MAX_CONNECTIONS_PER_ADDRESS', '0'],
    ['METRICS_PORT', '0'],
    ['METRICS_PORT', '3000'],
    ['METRICS_HOST', 'a b'],
    ['PROJECTION_WAIT_MS', '1e3'],
    ['DELETION_SCHEDULE', 'weekly'],
    ['DELETION_SCHEDULE', '0 0 5 * * 0'],
    ['DELETION_SCHEDULE', '60 5 * * 0'],
    ['DELETION_SCHEDULE', '0 5 31 2 *'],
    ['DELETION_SCHEDULE', '@weekly soon x x x'],
    ['COHORT_REFRESH_MINUTES', '0'],
    ['BACKUP_SCHEDULE', 'nightly'],
    ['BACKUP_KEEP', '0'],
    ['ALLOW_TEST_CLOCK', 'maybe'],
    ['OIDC_ISSUER', 'login.example.com'],
    ['OIDC_ISSUER', 'https://login.example.com/?tenant=1'],
    ['OIDC_ALLOWED_DOMAINS', 'example.com; example.org'],
    ['OIDC_ALLOWED_DOMAINS', '@example.com'],
    ['OIDC_NEW_USER_PROJECTS', '1, all'],
    ['OIDC_NEW_USER_ROLE', 'owner'],
    ['OIDC_ASSUME_VERIFIED_EMAILS', 'maybe'],
  ])('refuses %s=%s in one line that names it', (name, value) => {
    const attempt = () => loadConfig({ [name]: value });
    expect(attempt).toThrow(ConfigError);
    expect(attempt).toThrow(new RegExp(`^${name} must [^\\n]+$`));
  });

  it('lists every wrong value, a line each, and says when it came from a file', () => {
    const env = { PORT: 'abc', COHORT_REFRESH_MINUTES: 'often', DATABASE_URL: 'mysql://u:hunter2@h/d' };
    expect(() => loadConfig(env, (name) => (name === 'PORT' ? '.env' : null))).toThrow(
      new ConfigError(
        [
          'PORT must be an integer from 0 to 65535, got "abc" in .env',
          'DATABASE_URL must be a URL that begins with postgres:// or postgresql://, with one host or several with commas between them, got something else',
          'COHORT_REFRESH_MINUTES must be an integer from 1 to 10080, got "often"',
        ].join('\n'),
      ),
    );
    expect(() => loadConfig({ ROLE: 'api', CLICKHOUSE_CLUSTER: 'c', METRICS_PORT: '3000' })).toThrow(
      /^METRICS_PORT [^\n]+\nROLE=[^\n]+\nCLICKHOUSE_CLUSTER [^\n]+$/,
    );
  });

  it('never repeats a URL, which may hold a password', () => {
    expect(() => loadConfig({ DATABASE_URL: 'mysql://u:hunter2@h/d' })).not.toThrow(/hunter2/);
  });

  it.each(['api', 'worker'])('refuses ROLE=%s without both servers', (ROLE) => {
    expect(() => loadConfig({ ROLE })).toThrow(/^ROLE=/);
    expect(() => loadConfig({ ROLE, DATABASE_URL: servers.DATABASE_URL })).toThrow(/^ROLE=/);
    expect(loadConfig({ ROLE, ...servers }).role).toBe(ROLE);
  });

  it('takes several servers of a database, as libpq does', () => {
    const servers = (text: string) => {
      const { databaseUrl } = loadConfig({ DATABASE_URL: text });
      return databaseUrl && serversOf(databaseUrl).map(({ href }) => href);
    };
    expect(servers('postgres://u:p@db/k')).toEqual(['postgres://u:p@db/k']);
    expect(
      servers('postgres://u:p%40@db1:5433,db2,[::1]:5434/k?sslmode=require&target_session_attrs=read-write'),
    ).toEqual([
      'postgres://u:p%40@db1:5433/k?sslmode=require',
      'postgres://u:p%40@db2/k?sslmode=require',
      'postgres://u:p%40@[::1]:5434/k?sslmode=require',
    ]);
    for (const wrong of ['postgres://u:p@db1,/k', 'postgres://u:p@,db1/k', 'postgres://u:p@db1:1:2,db2/k'])
      expect(() => servers(wrong)).toThrow(/^DATABASE_URL must be a URL/);
    expect(() => servers('postgres://u@a,b/k?target_session_attrs=any')).toThrow(/^DATABASE_URL must leave/);
  });

  it('refuses an archive of the log beside a server, or within DATA_DIR', () => {
    const archive = { DATA_DIR: '/data', WAL_ARCHIVE_DIR: '/data/archive' };
    expect(() => loadConfig(archive)).toThrow(/^WAL_ARCHIVE_DIR must lie outside of DATA_DIR/);
    expect(() => loadConfig({ ...archive, WAL_ARCHIVE_DIR: '/data' })).toThrow(/^WAL_ARCHIVE_DIR must/);
    expect(loadConfig({ ...archive, WAL_ARCHIVE_DIR: '/data2' }).walArchive).toEqual({ folder: '/data2', days: 7 });
    expect(() => loadConfig({ ...servers, WAL_ARCHIVE_DIR: '/archive' })).toThrow(
      /^WAL_ARCHIVE_DIR is for the embedded/,
    );
  });

  it('refuses the test clock and well-known passwords in production', () => {
    expect(() => loadConfig({ NODE_ENV: 'production', ALLOW_TEST_CLOCK: '1' })).toThrow(/^ALLOW_TEST_CLOCK/);
    expect(() => loadConfig({ NODE_ENV: 'production', DATABASE_URL: 'postgres://k:postgres@db/k' })).toThrow(
      /^DATABASE_URL/,
    );
    expect(loadConfig({ NODE_ENV: 'production', ...servers }).production).toBe(true);
  });

  it('reads single sign-on as a whole or not at all', () => {
    const all = {
      OIDC_ISSUER: 'https://login.example.com/realms/staff',
      OIDC_CLIENT_ID: 'kohort',
      OIDC_CLIENT_SECRET: 'Zx81',
      OIDC_ALLOWED_DOMAINS: 'Example.com, example.org',
    };
    expect(loadConfig({}).oidc).toBeNull();
    expect(loadConfig(all).oidc).toEqual({
      issuer: new URL('https://login.example.com/realms/staff'),
      clientId: 'kohort',
      clientSecret: 'Zx81',
      name: 'login.example.com',
      allowedDomains: ['example.com', 'example.org'],
      assumesVerifiedEmails: false,
      newUsers: { projectIds: [], role: 'viewer' },
    });
    const more = { OIDC_NAME: 'Staff', OIDC_ALLOWED_DOMAINS: '*', OIDC_NEW_USER_PROJECTS: '2, 1, 2' };
    expect(loadConfig({ ...all, ...more }).oidc).toMatchObject({
      name: 'Staff',
      allowedDomains: null,
      newUsers: { projectIds: [2, 1], role: 'viewer' },
    });
    for (const name of Object.keys(all))
      expect(() => loadConfig({ ...all, [name]: '' })).toThrow(/OIDC_\w+ needs OIDC_\w+/);
    const plain = { ...all, NODE_ENV: 'production', OIDC_ISSUER: 'http://login.example.com' };
    expect(() => loadConfig(plain)).toThrow('OIDC_ISSUER must begin with https:// in production');
  });

  it('is documented in .env.example', () => {
    expect(readFileSync('.env.example', 'utf8')).toBe(envExample());
  });
});
