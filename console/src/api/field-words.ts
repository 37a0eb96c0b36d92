/** What the parts of a list are called in forms; other lists have the name of the field. */
const entries: Readonly<Record<string, string>> = {
  breakdowns: 'breakdown',
  cohorts: 'cohort',
  events: 'event',
  exclusions: 'exclusion',
  groups: 'condition',
  properties: 'filter',
  tiles: 'tile',
  values: 'filter',
  variants: 'variant',
};

/** Names of fields that forms call otherwise. */
const names: Readonly<Record<string, string>> = {
  as_of: 'time',
  key: 'name',
  math: 'aggregation',
  math_property: 'property of the aggregation',
  rollout_percentage: 'percentage',
  url: 'address',
};

const nameOf = (part: string): string => names[part] ?? part.replaceAll('_', ' ');

/** Names a part of a body as forms do: `filters.groups.0.properties.1.value` is "value of filter 2 of condition 1". */
export const fieldWords = (path: string): string => {
  const parts = path.split('.');
  const said: string[] = [];
  for (const [at, part] of parts.entries()) {
    if (/^\d+$/.test(part)) continue;
    const index = parts[at + 1];
    if (index !== undefined && /^\d+$/.test(index)) {
      const isGroup = part === 'values' && parts[at + 2] === 'values';
      said.push(`${isGroup ? 'group' : (entries[part] ?? nameOf(part))} ${Number(index) + 1}`);
    } else if (at === parts.length - 1) said.push(nameOf(part));
  }
  return said.toReversed().join(' of ');
};

const withArticle = (words: string): string =>
  words.includes(' of ') && !/^\S+ \d/.test(words) ? `the ${words}` : words;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The part of a path that is within a field, with the name of the field if an index comes first. */
const within = (path: string, field: string): string => {
  const rest = path.slice(field.length + 1);
  return /^\d/.test(rest) ? `${field.slice(field.lastIndexOf('.') + 1)}.${rest}` : rest;
};

const namesField = (detail: string, attr: string): boolean =>
  detail.startsWith(`${attr} `) || detail.startsWith(`${attr}: `);

/** A refusal in the words of a form. At the field that it is about, the field is not named. */
export const inFormWords = (detail: string, attr: string | null, field?: string): string => {
  if (attr === null || !namesField(detail, attr)) return detail;
  const words = field === undefined ? fieldWords(attr) : fieldWords(within(attr, field));
  return capital(`${withArticle(words)}${detail.slice(attr.length)}`.replace(/^[: ]+/, ''));
};

/** The name of the field over a refusal that does not begin with it. */
export const fieldTitle = (detail: string, attr: string | null): string | undefined =>
  attr === null || namesField(detail, attr) ? undefined : capital(fieldWords(attr)) || undefined;
