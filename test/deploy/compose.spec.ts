import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { loadConfig } from '../../src/platform/config/config.js';

interface Container {
  readonly networks: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly env_file?: readonly { readonly path: string; readonly required: boolean }[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck: { readonly test?: readonly string[]; readonly disable?: boolean };
  readonly stop_grace_period?: string;
  readonly logging: { readonly options: Readonly<Record<string, string>> };
  readonly deploy?: { readonly replicas: number };
}

const { services, networks, volumes } = parse(readFileSync('compose.yaml', 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Container>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: object;
};
const container = (name: string): Container => services[name] as Container;
const reaches = (name: string, network: string) => container(name).networks.includes(network);
const hasWayOut = (name: string) => container(name).networks.some((network) => !networks[network]?.internal);

/** As Compose does it, for a person who has set the two passwords alone. */
const environmentOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(container(name).environment).map(([variable, value]) => [
      variable,
      value.replace(/\$\{\w+:\?[^}]*\}/g, 'a@b:c/d?e#f%41').replace(/\$\{\w+:-([^}]*)\}/g, '$1'),
    ]),
  );

const ofKohort = ['migrate', 'api', 'worker'];
const processes = ['api', 'worker'];
const stores = ['postgres', 'clickhouse'];

describe('compose.yaml', () => {
  it('lets each process reach the stores, and what webhooks, exports, archives, traces and single sign-on are sent to', () => {
    expect([...ofKohort, ...stores].filter((name) => !reaches(name, 'stores'))).toEqual([]);
    expect(processes.filter((name) => !hasWayOut(name))).toEqual([]);
  });

  it('lets nothing out of the stores, and nothing in but for the API on this machine', () => {
    expect(stores.filter(hasWayOut)).toEqual([]);
    expect(Object.keys(services).filter((name) => container(name).ports)).toEqual(['api']);
    expect(container('api').ports?.[0]).toMatch(/^\$\{KOHORT_ADDRESS:-127\.0\.0\.1\}:/);
  });

  it('starts processes of each role whose settings are valid', () => {
    for (const role of processes) expect(loadConfig(environmentOf(role))).toMatchObject({ role });
    const { databaseUrl, clickhouseUrl } = loadConfig(environmentOf('migrate'));
    for (const url of [databaseUrl, clickhouseUrl])
      expect([url?.username, decodeURIComponent(url?.password ?? '')]).toEqual(['kohort', 'a@b:c/d?e#f%41']);
  });

  it('hands every setting of .env to each process, but for those that make it this stack', () => {
    const ofProcess = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR'];
    const ofStores = ['DATABASE_URL', 'DATABASE_PASSWORD', 'CLICKHOUSE_URL', 'CLICKHOUSE_PASSWORD'];
    const decided = [...ofProcess, ...ofStores, 'RATE_LIMIT_SHARED', 'METRICS_PORT', 'METRICS_HOST', 'TMPDIR'];
    for (const name of ofKohort) {
      expect(container(name).env_file).toEqual([{ path: '.env', required: false }]);
      const { ROLE: role, ...others } = container(name).environment;
      expect([role, Object.keys(others)]).toEqual([name === 'migrate' ? undefined : name, decided]);
    }
  });

  it('counts limits for all API processes together', () => {
    expect(container('api').deploy?.replicas).toBeGreaterThan(1);
    expect(container('api').environment.RATE_LIMIT_SHARED).toBe('1');
  });

  it('gives each container a health check of its own, time to end and a log of limited size', () => {
    for (const [name, { healthcheck, stop_grace_period: grace = '10s', logging }] of Object.entries(services)) {
      expect([name, healthcheck.test?.[0] ?? healthcheck]).toEqual([
        name,
        name === 'migrate' ? { disable: true } : 'CMD',
      ]);
      // A program with `: ` in it is an object for YAML unless it is quoted.
      expect([name, healthcheck.test?.filter((word) => typeof word !== 'string') ?? []]).toEqual([name, []]);
      expect([name, Number.parseInt(grace, 10)]).toEqual([name, 60]);
      expect([name, logging.options]).toEqual([name, { 'max-size': '10m', 'max-file': '5' }]);
    }
  });

  it('keeps backups in a volume that is there for the account of the image', () => {
    const folder = '/var/lib/kohort/backups';
    for (const name of ofKohort) expect(container(name).volumes).toEqual([`backups:${folder}`]);
    expect(Object.keys(volumes)).toEqual(['postgres', 'clickhouse', 'backups']);
    expect(readFileSync('Dockerfile', 'utf8')).toContain(`--owner kohort --group kohort --mode 700 ${folder}`);
  });
});
