import { settings } from './settings.js';

/** The text of `.env.example`; a test compares it with the file. */
export const envExample = (): string =>
  Object.entries(settings)
    .map(([name, { doc, example }]) => `# ${doc}\n${example === '' ? `# ${name}=` : `${name}=${example}`}\n`)
    .join('\n');
