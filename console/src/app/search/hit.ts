import { type Question } from '../../address/search';

/** Something that the search has found. */
export interface Hit {
  readonly group: string;
  readonly name: string;
  readonly hint?: string | undefined;
  /** Its page, below the address of the project. */
  readonly to: string;
  readonly search?: Question;
}

/** All words of the text are in the name or the hint. Names that begin with it come first, and with them those of their group. */
export const matching = (hits: readonly Hit[], text: string): Hit[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ name }: Hit): number => (name.toLowerCase().startsWith(words[0] ?? '') ? 0 : 1);
  const found = hits
    .filter(({ name, hint = '' }) => words.every((word) => `${name} ${hint}`.toLowerCase().includes(word)))
    .sort((a, b) => rank(a) - rank(b));
  return [...new Set(found.map(({ group }) => group))].flatMap((group) => found.filter((hit) => hit.group === group));
};
