import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { importLines } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

/** Below the repository, so that the generated files find its packages. */
const folder = resolve('dist-bench', `generators-${process.pid}`);
const bin = resolve('node_modules/.bin');

const run = async (command: string, ...args: string[]): Promise<string> => {
  const env = { ...process.env, NODE_OPTIONS: '' };
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder, env, maxBuffer: 1e8 }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(`${command} ${args.join(' ')}\n${error.stdout}${error.stderr}`);
    },
  );
  return stdout;
};

const compilerOptions = {
  strict: true,
  outDir: 'out',
  target: 'es2022',
  module: 'commonjs',
  moduleResolution: 'bundler',
  skipLibCheck: true,
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
};

/** Its schemas have no names: each one repeats all that it refers to. */
const onlyBodies = { param: false, query: false, header: false, body: true, response: false };

const orvalConfig = (baseUrl: string): object => ({
  client: { input: 'openapi.json', output: { target: 'orval/client.ts', client: 'fetch', baseUrl } },
  zod: {
    input: { target: 'openapi.json', filters: { tags: ['Persons', 'Cohorts'] } },
    output: { target: 'orval/zod.ts', client: 'zod', override: { zod: { generate: onlyBodies } } },
  },
});

let service: ServiceHandle;
let outcomes: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  service = await sharedService();
  const event = (name: string, did: string, minutes: number) => ({
    ...{ type: 'event', event: did, distinct_id: name.toLowerCase() },
    timestamp: new Date(Date.now() - minutes * 60_000).toISOString(),
  });
  const names = ['Ada', 'Bob', 'Eve'];
  await importLines(service, service.project.id, [
    ...names.map((name, day) => ({
      ...{ type: 'person', distinct_ids: [name.toLowerCase()], properties: { name } },
      created_at: `2026-01-0${day + 1}T00:00:00Z`,
    })),
    ...names.map((name) => event(name, 'viewed', 60)),
    ...[4, 3, 2].map((minutes) => event('Ada', 'paid', minutes)),
    event('Bob', 'paid', 2),
  ]);
  await mkdir(folder, { recursive: true });
  await cp('test/generators', folder, { recursive: true });
  await writeFile(join(folder, 'openapi.json'), await (await fetch(`${service.url}/openapi.json`)).text());
  await writeFile(join(folder, 'orval.config.cjs'), `module.exports = ${JSON.stringify(orvalConfig(service.url))}`);
  await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  await run(join(bin, 'openapi-typescript'), 'openapi.json', '-o', 'openapi-typescript.d.ts');
  await run(join(bin, 'openapi-ts'), '-i', 'openapi.json', '-o', 'hey-api', '-c', '@hey-api/client-fetch');
  await run(join(bin, 'orval'), '--config', 'orval.config.cjs');
  const output = ['-o', 'swagger-typescript-api', '-n', 'api.ts'];
  await run(join(bin, 'swagger-typescript-api'), 'generate', '-p', 'openapi.json', ...output);
  // The same checks as by the TypeScript of most callers, in a fifth of the time.
  await run(process.execPath, resolve('node_modules/typescript-native/bin/tsc'), '-p', '.');
  const answered = await run(process.execPath, 'out/main.js', service.url, service.key, String(service.project.id));
  outcomes = JSON.parse(answered) as Record<string, unknown>;
}, 240_000);
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a client that is generated from the document, compiled with --strict and without a cast', () => {
  it.each(['@hey-api/openapi-ts', 'openapi-typescript and openapi-fetch', 'orval, with zod', 'swagger-typescript-api'])(
    '%s lists persons, makes cohorts, changes one and pages through a funnel',
    (name) => {
      expect(outcomes[name]).toBeInstanceOf(Object);
      const { paid, ...numbers } = outcomes[name] as { paid: string[] };
      expect(numbers).toEqual({ persons: 3, behavioural: 2, listed: 1, renamed: 'Renamed', steps: [3, 2] });
      expect([...paid].sort()).toEqual(['Ada', 'Bob']);
    },
  );
});
