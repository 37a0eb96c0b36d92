import { existsSync, readFileSync } from 'node:fs';

/** The file lies one folder deeper below `dist` than below the sources. */
const files = ['../../../package.json', '../../package.json'].map((path) => new URL(path, import.meta.url));

/** The version of this service, as `package.json` has it. */
export const serviceVersion = (): string => {
  for (const file of files)
    if (existsSync(file)) return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  throw new Error('package.json is missing');
};
