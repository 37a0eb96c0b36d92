import { describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';

interface LockedPackage {
  readonly version: string;
  readonly dev?: boolean;
  readonly integrity?: string;
}

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

const run = (command: string, args: readonly string[]) =>
  spawnSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};

const digestOf = ({ hashes = [] }: Component): string | undefined =>
  hashes[0] && `sha512-${Buffer.from(hashes[0].content, 'hex').toString('base64')}`;

describe('npm run sbom', () => {
  it('lists every package that is shipped, and no other, with the digest of the lock file', () => {
    const { stdout, status } = run('npm', ['run', '--silent', 'sbom']);
    expect(status).toBe(0);
    const bom = JSON.parse(stdout) as { readonly bomFormat: string; readonly components: readonly Component[] };
    expect(bom.bomFormat).toBe('CycloneDX');
    const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);
    expect(shipped.length).toBeGreaterThan(100);
    const expected = shipped.map(([path, { version, integrity }]) => `${nameOf(path)}@${version} ${integrity}`);
    const listed = bom.components.map((component) => `${component.name}@${component.version} ${digestOf(component)}`);
    expect([...new Set(listed)].sort()).toEqual([...new Set(expected)].sort());
    expect(bom.components.filter(({ purl }) => !purl.startsWith('pkg:npm/'))).toEqual([]);
  });
});

describe('npm ci', () => {
  it('would install the lock file as it is: both files say the same', () => {
    const { status, stderr } = run('npm', ['ci', '--dry-run', '--ignore-scripts', '--offline']);
    expect([status, stderr.trim()]).toEqual([0, '']);
  });

  it('is the only way in which the image and CI install packages', () => {
    for (const file of ['Dockerfile', '.ci/run']) {
      const text = readFileSync(file, 'utf8');
      expect(text).toMatch(/npm ci\b/);
      expect([file, text.match(/npm (?:i|install|add|update)\b.*/g)]).toEqual([file, null]);
    }
  });
});

describe('npm run advisories', () => {
  const ofRegistry = run('npm', ['run', '--silent', 'advisories']);
  const isRefused = ofRegistry.status === 3;
  if (isRefused) console.warn(`Skipped, because nothing is known: ${ofRegistry.stdout}`);
  (isRefused ? it.skip : it)('finds no known fault of a shipped package that is not judged', () => {
    expect([ofRegistry.status, ofRegistry.stdout]).toEqual([
      0,
      expect.stringMatching(/^\d+ known faults of shipped packages, 0 not judged\n$/),
    ]);
  });

  it('judges each in a sentence', () => {
    const judged = JSON.parse(readFileSync('docs/judged-advisories.json', 'utf8')) as Record<string, unknown>;
    const unclear = Object.entries(judged).filter(
      ([id, judgement]) =>
        !/^GHSA(?:-[0-9a-z]{4}){3}$/.test(id) || typeof judgement !== 'string' || judgement.length < 40,
    );
    expect(unclear).toEqual([]);
  });

  const advisory = 'GHSA-aaaa-bbbb-cccc';
  const fault = { id: 1, url: `https://github.com/advisories/${advisory}`, title: 'a fault', severity: 'high' };
  it.each([
    [
      'a fault without a judgement',
      { express: [{ ...fault, vulnerable_versions: '*', cwe: [], cvss: { score: 7 } }] },
      1,
      `${advisory} express: a fault (not judged)\n1 known faults of shipped packages, 1 not judged\n`,
    ],
    ['no fault', {}, 0, '0 known faults of shipped packages, 0 not judged\n'],
    ['nothing', null, 3, 'The registry does not say which packages have known faults: '],
  ])('reads the answer of a registry: %s', async (_, answer, status, line) => {
    const registry = await registryAnswering(answer);
    try {
      const ended = await advisories(`http://127.0.0.1:${(registry.address() as AddressInfo).port}/`);
      expect(ended.output.slice(0, line.length)).toBe(line);
      expect(ended.status).toBe(status);
    } finally {
      registry.close();
    }
  });
});

/** A registry of npm with one release of each package. Null: it refuses audits. */
const registryAnswering = async (faults: object | null): Promise<Server> => {
  const server = createServer((request, response) => {
    request.resume();
    const isAudit = request.method === 'POST' && request.url?.endsWith('/advisories/bulk') === true;
    const name = decodeURIComponent(request.url?.slice(1) ?? '');
    const version = packages[`node_modules/${name}`]?.version ?? '1.0.0';
    const release = { name, 'dist-tags': { latest: version }, versions: { [version]: { name, version } } };
    response.statusCode = isAudit && faults === null ? 405 : isAudit || request.method === 'GET' ? 200 : 404;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isAudit ? (faults ?? {}) : release));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

const advisories = async (registry: string): Promise<{ readonly status: number; readonly output: string }> => {
  const child = spawn(process.execPath, ['scripts/advisories.mjs'], {
    env: { ...process.env, npm_config_registry: registry },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const texts: Buffer[] = [];
  child.stdout.on('data', (text: Buffer) => texts.push(text));
  const [status] = (await once(child, 'close')) as [number];
  return { status, output: Buffer.concat(texts).toString('utf8') };
};
