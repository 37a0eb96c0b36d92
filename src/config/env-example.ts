import { settings } from './settings.js';

/** The text of `.env.example`; a test holds the file to it. */
export const envExample = (): string =>
  Object.entries(settings)
    .map(([name, { doc, example }]) => `# ${doc}\n${example === '' ? `# ${name}=` : `${name}=${example}`}\n`)
    .join('\n');
