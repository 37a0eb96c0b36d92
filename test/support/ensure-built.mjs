import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A folder is newer once a file in it has been removed. */
const within = (folder) => [
  folder,
  ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
];

const made = 'dist/bundle/kohort.cjs';
const sources = [
  ...within('src'),
  'scripts/bundle.mjs',
  'ormconfig.ts',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
];
const isCurrent = () => {
  const at = statSync(made).mtimeMs;
  return sources.every((path) => statSync(path).mtimeMs < at);
};

/** Builds `dist`, unless it is newer than what it is made of. */
if (!existsSync(made) || !isCurrent()) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' });
  process.exit(status ?? 1);
}
