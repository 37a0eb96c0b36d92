import { type Filter, type Operator, type PropertyFilter } from '../reading/filter.js';

export const urlMatchings = ['contains', 'exact', 'regex'] as const;

export type UrlMatching = (typeof urlMatchings)[number];

const onEvent = (key: string, operator: Operator, value: string, at: string): PropertyFilter => ({
  kind: 'property',
  source: 'event',
  key,
  operator,
  values: [value],
  at,
  valueAt: at,
});

const anyOf = (...parts: readonly Filter[]): Filter => ({ kind: 'group', combine: 'OR', parts });

/** A regular expression (RE2) for exactly this text. */
const literally = (text: string): string => text.replace(/[^\w\u{80}-\u{10ffff}]/gu, '\\$&');

/**
 * A regular expression for a text anywhere in a value. As in LIKE of SQL, `%` stands for any text; unlike there, an underscore
 * stands for itself.
 */
const containing = (text: string): string => text.split('%').map(literally).join('(?s:.*)');

/** A filter on the address of the page, `$current_url`, in which upper and lower case differ. */
export const urlFilter = (url: string, matching: UrlMatching, at: string): Filter => {
  switch (matching) {
    case 'contains':
      return onEvent('$current_url', 'regex', containing(url), at);
    case 'exact':
      return onEvent('$current_url', 'exact', url, at);
    case 'regex':
      return onEvent('$current_url', 'regex', url, at);
  }
};

/**
 * SDKs describe the element and its ancestors by a text, `a.link:href="/pricing"text="Buy";div:…`, by a list of objects, which
 * is stored as JSON text, or by both. Quotes inside a value are escaped in either form.
 */
const inChain = (name: string, value: string, at: string): Filter =>
  onEvent('$elements_chain', 'regex', `[:"]${name}="${literally(value.replace(/\\?"/g, '\\"'))}"`, at);

const inElements = (key: string, value: string, at: string): Filter =>
  onEvent('$elements', 'regex', literally(`${JSON.stringify(key)}:${JSON.stringify(value)}`), at);

/** A filter on the text of the element or of one of its ancestors. */
export const textFilter = (text: string, at: string): Filter =>
  anyOf(onEvent('$el_text', 'exact', text, at), inChain('text', text, at), inElements('$el_text', text, at));

/** A filter on the address to which the element, or one of its ancestors, is a link. */
export const hrefFilter = (href: string, at: string): Filter =>
  anyOf(inChain('href', href, at), inElements('attr__href', href, at));
