import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { answersIn, differenceFrom, SnippetRunner, snippetsOf } from '../support/snippets.js';

describe('the snippets of README.md', () => {
  const snippets = snippetsOf(readFileSync('README.md', 'utf8'));
  let runner: SnippetRunner;

  beforeAll(async () => {
    runner = await SnippetRunner.start();
  });
  afterAll(() => runner.stop());

  it.each(snippets.map((snippet) => [snippet.line, snippet] as const))(
    'at line %i do what the text shows',
    async (_line, snippet) => {
      const { code, stdout, stderr } = await runner.run(snippet);
      expect([code, stderr]).toEqual([0, '']);
      const got = answersIn(stdout);
      for (const answer of got)
        expect(answer).not.toMatchObject({ status: expect.any(Number), detail: expect.any(String) });
      if (snippet.shown.length === 0) return;
      expect(got).toHaveLength(snippet.shown.length);
      const differences = snippet.shown.map((shown, at) => differenceFrom(JSON.parse(shown), got[at]));
      expect(differences).toEqual(snippet.shown.map(() => null));
    },
  );
});

describe('README.md', () => {
  it('shows how to send events by an SDK and by curl, a cohort and a funnel', () => {
    const all = snippetsOf(readFileSync('README.md', 'utf8'));
    const code = all.map((snippet) => snippet.code).join('\n');
    const parts = ['client.shutdown()', '/batch', 'behavioral', 'persons/funnel', '"funnel_step": -2', 'format=csv'];
    for (const part of parts) expect(code).toContain(part);
    expect(all.flatMap(({ shown }) => shown).length).toBeGreaterThanOrEqual(3);
  });
});

describe('the pages for somebody who begins', () => {
  it.each([
    ['README.md', 8_000],
    ['CONTRIBUTING.md', 6_000],
  ])('%s is at most %i bytes long', (page, most) => {
    expect(Buffer.byteLength(readFileSync(page))).toBeLessThanOrEqual(most);
  });
});

describe('the comparison of an answer with the shown one', () => {
  it.each([
    [{ a: 1 }, { a: 1 }, null],
    [{ a: 1 }, { a: 2 }, 'answer.a is 2 instead of 1'],
    [{ a: 1 }, { a: 1, b: 2 }, 'answer also has b'],
    [{ a: 1, '…': '…' }, { a: 1, b: 2 }, null],
    [{ a: '…' }, { a: 7 }, null],
    [[1], [1, 2], 'answer has 2 elements instead of 1'],
    [{ a: [{ b: 1 }] }, { a: [{ b: 3 }] }, 'answer.a.0.b is 3 instead of 1'],
  ])('of %j and %j is %j', (shown, got, difference) => {
    expect(differenceFrom(shown, got)).toBe(difference);
  });
});
