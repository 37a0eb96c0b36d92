import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { targetNamed } from './all-targets.js';
import { kindOf, trial } from './trial.js';

/** What `main.ts` says to the process that it starts for a parser. */
const { PARSER = '', FOUND = '' } = process.env;

const target = await targetNamed(PARSER);
const known = new Set<string>();
mkdirSync(FOUND, { recursive: true });

/** Called by Jazzer.js. What breaks the parser is written down once for each kind, so that the run goes on. */
export const fuzz = async (data: Buffer): Promise<void> => {
  // The memory of the input is used again for the next one, which an unfinished reader might still see.
  const input = Buffer.from(data);
  const error = await trial(target, input);
  if (error === null || known.has(kindOf(error))) return;
  known.add(kindOf(error));
  const file = join(FOUND, createHash('sha256').update(kindOf(error)).digest('hex').slice(0, 16));
  writeFileSync(`${file}.input`, input);
  writeFileSync(`${file}.txt`, error.stack ?? error.message);
};
