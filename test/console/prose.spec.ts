import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { blocksOf, spansOf, titleOf, type Span } from '../../console/src/ui/prose-blocks.js';

const text = (content: string): Span => ({ kind: 'text', text: content });
const heading = (level: number, content: string) => ({ kind: 'heading', level, spans: [text(content)] });
const list = (isOrdered: boolean, ...items: string[]) => ({
  ...{ kind: 'list', isOrdered, items: items.map((item) => [text(item)]) },
});
const paragraph = (...lines: string[]) => ({ kind: 'paragraph', lines: lines.map((line) => [text(line)]) });

const textsOf = (spans: readonly Span[]): string =>
  spans.map((span) => ('text' in span ? span.text : textsOf(span.spans))).join('');

describe('a text of a dashboard', () => {
  it('has headings, lists and paragraphs', () => {
    const written =
      '# Weekly\nfirst\r\nsecond\n\nthird\n## Why\n- one\n* two\n1. three\n2) four\nlast\n####  none\n#none';
    expect(blocksOf(written)).toEqual([
      heading(1, 'Weekly'),
      paragraph('first', 'second'),
      paragraph('third'),
      heading(2, 'Why'),
      list(false, 'one', 'two'),
      list(true, 'three', 'four'),
      paragraph('last', '####  none', '#none'),
    ]);
    expect(titleOf(written)).toBe('Weekly');
    expect(titleOf('\n- **a** [b](https://c.de)')).toBe('a b');
    expect(blocksOf(' \n ')).toEqual([]);
  });

  it('has marks within a line', () => {
    expect(spansOf('2 * 3 * 4 and **bold** and *it*')).toEqual([
      text('2 * 3 * 4 and '),
      { kind: 'strong', spans: [text('bold')] },
      text(' and '),
      { kind: 'em', spans: [text('it')] },
    ]);
    expect(spansOf('`<b>` [mail](mailto:a@b.de)')).toEqual([
      { kind: 'code', text: '<b>' },
      text(' '),
      { kind: 'link', address: 'mailto:a@b.de', spans: [text('mail')] },
    ]);
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert)',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:x)',
    '[x](//evil.example)',
    '[x](/p/1)',
    '[x]( javascript:alert)',
    '[x](blob:https://a.de/b)',
    '<img src=x onerror=alert(1)>',
    '<a href="https://a.de">a</a>',
  ])('has %s as it is written', (written) => {
    const [block] = blocksOf(written);
    expect(block).toMatchObject({ kind: 'paragraph' });
    const [spans = []] = block?.kind === 'paragraph' ? block.lines : [];
    expect(spans.every(({ kind }) => kind === 'text')).toBe(true);
    expect(textsOf(spans)).toBe(written);
  });

  it('loses no letter and has no address that runs, whatever is written', () => {
    const piece = fc.constantFrom(
      '*',
      '**',
      '`',
      '[',
      ']',
      '(',
      ')',
      'javascript:',
      'https://a.de',
      '<b>',
      'x',
      ' ',
      '#',
      '- ',
      '\n',
    );
    const addresses = (spans: readonly Span[]): string[] =>
      spans.flatMap((span) => [
        ...(span.kind === 'link' ? [span.address] : []),
        ...('spans' in span ? addresses(span.spans) : []),
      ]);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const line = pieces.join('').replaceAll('\n', '');
        const spans = spansOf(line);
        expect(addresses(spans).every((address) => /^(https?|mailto):/.test(address))).toBe(true);
        expect(textsOf(spans).split('x').length).toBe(line.split('x').length);
        blocksOf(pieces.join(''));
      }),
    );
  });

  it('is read in a moment, however it is written', () => {
    const before = performance.now();
    for (const piece of ['[', '*', '**a', '`', '[a](', '# ', '- ']) blocksOf(piece.repeat(4000).slice(0, 4000));
    expect(performance.now() - before).toBeLessThan(1000);
  });
});
