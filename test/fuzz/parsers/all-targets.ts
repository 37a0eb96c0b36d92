import { type ParserTarget } from './target.js';

export const targetNames = [
  ...['capture', 'unwrap', 'events', 'segment', 'import', 'filters', 'cohorts', 'formula', 'csv', 'cursors', 'sql'],
  ...['dates', 'json'],
] as const;

/** One at a time: a run instruments only what its parser imports. */
export const targetNamed = async (name: string): Promise<ParserTarget> => {
  const { default: target } = (await import(`./targets/${name}.js`)) as { readonly default: ParserTarget };
  return target;
};
