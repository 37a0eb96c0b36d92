/** A part of a line. */
export type Span =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong'; readonly spans: readonly Span[] }
  | { readonly kind: 'em'; readonly spans: readonly Span[] }
  | { readonly kind: 'link'; readonly address: string; readonly spans: readonly Span[] };

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly spans: readonly Span[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Span[])[] }
  | { readonly kind: 'paragraph'; readonly lines: readonly (readonly Span[])[] };

const marks = /\*\*([^*\n]+)\*\*|\*([^*\s][^*\n]*)\*|`([^`\n]+)`|\[([^[\]\n]+)\]\(([^()\s]+)\)/;

/** Only to other pages and to mail: an address of another kind could run a script. */
const addressIn = (text: string): string | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && ['https:', 'http:', 'mailto:'].includes(url.protocol) ? url.href : null;
};

export const spansOf = (line: string): Span[] => {
  const found = marks.exec(line);
  if (!found) return line === '' ? [] : [{ kind: 'text', text: line }];
  const [whole, strong, em, code, label, target] = found;
  const before = line.slice(0, found.index);
  const rest = spansOf(line.slice(found.index + whole.length));
  const text: Span[] = before === '' ? [] : [{ kind: 'text', text: before }];
  const address = target === undefined ? null : addressIn(target);
  const span: Span =
    strong !== undefined
      ? { kind: 'strong', spans: spansOf(strong) }
      : em !== undefined
        ? { kind: 'em', spans: spansOf(em) }
        : code !== undefined
          ? { kind: 'code', text: code }
          : address !== null && label !== undefined
            ? { kind: 'link', address, spans: [{ kind: 'text', text: label }] }
            : { kind: 'text', text: whole };
  return [...text, span, ...rest];
};

const heading = /^(#{1,3}) +(\S.*)$/;
const bullet = /^[-*] +(\S.*)$/;
const numbered = /^\d{1,3}[.)] +(\S.*)$/;

/** Reads headings, lists, and paragraphs, which an empty line ends. */
export const blocksOf = (text: string): Block[] => {
  const blocks: Block[] = [];
  let isOpen = false;
  for (const line of text.split(/\r\n|\r|\n/).map((one) => one.trim())) {
    const [title, item, number] = [heading.exec(line), bullet.exec(line), numbered.exec(line)];
    const last = isOpen ? blocks.at(-1) : undefined;
    const entry = item?.[1] ?? number?.[1];
    isOpen = line !== '' && !title;
    if (line === '') continue;
    if (title) blocks.push({ kind: 'heading', level: title[1]?.length ?? 1, spans: spansOf(title[2] ?? '') });
    else if (entry !== undefined) {
      const isOrdered = number !== null;
      const spans = spansOf(entry);
      if (last?.kind === 'list' && last.isOrdered === isOrdered)
        blocks.splice(-1, 1, { ...last, items: [...last.items, spans] });
      else blocks.push({ kind: 'list', isOrdered, items: [spans] });
    } else if (last?.kind === 'paragraph') blocks.splice(-1, 1, { ...last, lines: [...last.lines, spansOf(line)] });
    else blocks.push({ kind: 'paragraph', lines: [spansOf(line)] });
  }
  return blocks;
};

const wordsOf = (spans: readonly Span[]): string =>
  spans.map((span) => ('text' in span ? span.text : wordsOf(span.spans))).join('');

/** The beginning of a text without its marks, as a name for it. */
export const titleOf = (text: string): string => {
  const [first] = blocksOf(text);
  if (!first) return '';
  const spans = first.kind === 'heading' ? first.spans : ((first.kind === 'list' ? first.items : first.lines)[0] ?? []);
  return wordsOf(spans).slice(0, 80);
};
