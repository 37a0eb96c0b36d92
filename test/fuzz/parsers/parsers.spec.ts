import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { targetNamed, targetNames } from './all-targets.js';
import { corpusFolder, corpusOf, written } from './corpus.js';
import { acceptedBy, demand } from './target.js';
import { kindOf, trial } from './trial.js';

describe.each(targetNames)('the parser of %s', (name) => {
  it('keeps its promises for every input of the corpus', async () => {
    const target = await targetNamed(name);
    const inputs = corpusOf(name);
    expect(inputs.length).toBeGreaterThan(5);
    const broken: string[] = [];
    for (const { from, input } of inputs) {
      const error = await trial(target, input);
      if (error) broken.push(`${from}: ${error.stack}`);
    }
    expect(broken).toEqual([]);
  });
});

describe('the corpus', () => {
  it('belongs to the parsers that there are, and stays small', () => {
    expect(readdirSync(corpusFolder).sort()).toEqual([...targetNames].sort());
    const files = readdirSync(corpusFolder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.json'),
    );
    const bytes = files
      .map((file) => readFileSync(join(corpusFolder, file)).length)
      .reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeLessThan(500_000);
  });

  it('is written so that it reads as it was', () => {
    for (const input of [Buffer.from('äö\0"'), Buffer.from([0xff, 0x00, 0x7b])]) {
      const again = written(input);
      expect(typeof again === 'string' ? Buffer.from(again) : Buffer.from(again.base64, 'base64')).toEqual(input);
    }
  });
});

describe('a trial', () => {
  const trialOf = (run: (input: Buffer) => void) => trial({ maxBytes: 1, words: [], run }, Buffer.from('x'));

  it('finds what is thrown beside the documented refusals, a broken promise and a slow reader', async () => {
    expect(await trialOf(() => undefined)).toBeNull();
    expect(await trialOf(() => acceptedBy(() => null))).toBeNull();
    const thrown = await trialOf(() => acceptedBy(() => (null as unknown as string).length));
    expect(thrown).toBeInstanceOf(TypeError);
    const broken = await trialOf((input) => demand(input.length > 1, 'inputs are longer'));
    expect(broken?.message).toBe('inputs are longer');
    const slow = await trialOf(() => {
      const end = process.cpuUsage().user + 1_100_000;
      for (let at = 0; at % 1_000_000 > 0 || process.cpuUsage().user < end; at += 1);
    });
    expect(slow?.message).toMatch(/^took \d+ ms$/);
    expect(new Set([thrown, broken, slow].map((error) => error && kindOf(error))).size).toBe(3);
  });
});
