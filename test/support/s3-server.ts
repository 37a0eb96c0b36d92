import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type S3Config } from '../../src/platform/config/s3.js';
import { freePort } from './process.js';
import { until } from './until.js';

const run = promisify(execFile);
const storing = ['object', 'container', 'account'] as const;

const [keyId, secret] = ['test:backup', 'a-secret'];

/** Specs that need the server are skipped where it is not installed, and say so. */
export const hasS3Server = (): boolean => {
  const isThere = existsSync('/usr/bin/swift-proxy-server');
  const packages = ['swift-proxy', ...storing.map((kind) => `swift-${kind}`)].join(' ');
  if (!isThere) console.warn(`!!! NO S3 SERVER HERE: apt-get install ${packages}. Tests of buckets are skipped.`);
  return isThere;
};

/** OpenStack Swift with its interface of S3, from Debian: a server with its own reading of the protocol and of signatures. */
export class S3Server {
  private constructor(
    readonly s3: S3Config,
    private readonly folder: string,
    private servers: readonly ChildProcess[],
  ) {}

  static async start(): Promise<S3Server> {
    const folder = await mkdtemp(join(tmpdir(), 'kohort-s3-'));
    await mkdir(join(folder, 'devices', 'disk'), { recursive: true });
    await writeFile(join(folder, 'swift.conf'), swiftConf);
    for (const kind of storing) {
      const port = await freePort();
      const ring = join(folder, `${kind}.builder`);
      await run('swift-ring-builder', [ring, 'create', '2', '1', '0']);
      await run('swift-ring-builder', [ring, 'add', `r1z1-127.0.0.1:${port}/disk`, '1']);
      await run('swift-ring-builder', [ring, 'rebalance']);
      await writeFile(join(folder, `${kind}.conf`), storageConf(folder, kind, port));
    }
    const port = await freePort();
    await writeFile(join(folder, 'proxy.conf'), proxyConf(folder, port));
    const endpoint = new URL(`http://127.0.0.1:${port}`);
    const s3 = { keyId, secret, sessionToken: null, region: 'us-east-1', endpoint };
    const server = new S3Server(s3, folder, []);
    await server.run();
    return server;
  }

  /** The environment of a command that keeps its backups here. */
  get env(): Record<string, string> {
    return { AWS_ACCESS_KEY_ID: keyId, AWS_SECRET_ACCESS_KEY: secret, AWS_ENDPOINT_URL: this.s3.endpoint?.href ?? '' };
  }

  async stop(): Promise<void> {
    const ended = this.servers.map((server) => new Promise((resolve) => server.once('exit', resolve)));
    for (const server of this.servers) server.kill('SIGKILL');
    await Promise.all(ended);
    await rm(this.folder, { recursive: true, force: true });
  }

  private async run(): Promise<void> {
    this.servers = [...storing, 'proxy'].map((kind) =>
      spawn(`swift-${kind}-server`, [join(this.folder, `${kind}.conf`)], { stdio: 'ignore' }),
    );
    const url = this.s3.endpoint ?? '';
    const answers = () => fetch(url).then(Boolean, () => false);
    await until(answers, { withinMs: 60_000, everyMs: 100, failure: () => 'the S3 server did not start' });
  }
}

const swiftConf = `[swift-hash]
swift_hash_path_suffix = kohort
[storage-policy:0]
name = one
default = yes
`;

const common = (folder: string, port: number): string => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
user = ${userInfo().username}
swift_dir = ${folder}
workers = 0
log_level = ERROR
`;

const storageConf = (folder: string, kind: string, port: number): string => `${common(folder, port)}
devices = ${folder}/devices
mount_check = false
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`;

/** The cache is needed and not there, which costs nothing but a look. */
const proxyConf = (folder: string, port: number): string => `${common(folder, port)}
[pipeline:main]
pipeline = catch_errors gatekeeper cache s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_${keyId.replace(':', '_')} = ${secret} .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
`;
