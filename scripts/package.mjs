// Writes dist/package, the package that `npx kohort` runs: npm pack ./dist/package
// The bundle has all libraries but those with native parts and those whose files are served, so it installs these alone.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join('dist', 'package');
const { name, version, description, license, engines, bin, dependencies, optionalDependencies } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

const installed = (each) => [each, dependencies[each] ?? packages[`node_modules/${each}`].version];
const manifest = {
  ...{ name, version, description, license, engines, bin },
  type: 'module',
  dependencies: Object.fromEntries(['@guanmingchiu/sqlparser-ts', 'posthog-js', 'swagger-ui-dist'].map(installed)),
  optionalDependencies,
};

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
const files = ['README.md', 'CHANGELOG.md', 'LICENSE', 'bin', 'docs', 'console/dist', 'dist/bundle/kohort.cjs'];
for (const file of files) cpSync(file, join(folder, file), { recursive: true });
