interface Change {
  readonly action: string;
  readonly field: string | null;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Names of fields that are not their own name. */
const names: Readonly<Record<string, string>> = {
  breakdown_filter: 'breakdown',
  compare_to: 'compared period',
  date_from: 'beginning of the range',
  date_to: 'end of the range',
  display: 'chart',
  filter_test_accounts: 'filter of test accounts',
  filters: 'definition',
  funnel_viz_type: 'view',
  groups: 'definition',
  is_static: 'static',
  properties: 'filters',
  rollout_percentage: 'percentage',
};

/** `question.date_from` is "Beginning of the range". */
export const fieldName = (field: string): string => {
  const last = field.split('.').at(-1) ?? field;
  const name = names[last] ?? last.replaceAll('_', ' ');
  return name.charAt(0).toUpperCase() + name.slice(1);
};

const isAbsent = (value: unknown): boolean =>
  value === null || value === '' || value === undefined || (Array.isArray(value) && value.length === 0);

/** A value as a sentence has it; null for one that is shown in its own form. */
const said = (value: unknown): string | null => {
  if (typeof value === 'string') return `“${value}”`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.map(said).join(', ');
  return null;
};

const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;

/** What a small object has, such as a link: its label, and when it ends. Null for one that needs its own form. */
const partsOf = (value: unknown): string[] | null => {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const parts = Object.entries(value).filter(([name, part]) => name !== 'id' && !isAbsent(part));
  const texts = parts.map(([name, part]) => {
    if (typeof part === 'string' && isMoment.test(part))
      return `${name.replaceAll('_', ' ')} ${part.slice(0, 16).replace('T', ' ')} UTC`;
    const text = said(part);
    return text === null ? null : `${name.replaceAll('_', ' ')} ${text}`;
  });
  return texts.every((text) => text !== null) ? texts : null;
};

export interface ChangeText {
  readonly text: string;
  /** Values that no sentence can have. */
  readonly values: readonly { readonly label: 'Before' | 'After'; readonly value: unknown }[];
}

const tileCount = (tiles: readonly unknown[]): string => `${tiles.length} ${tiles.length === 1 ? 'tile' : 'tiles'}`;

/** Has only whether there were some, because filters may name persons. */
const ofPresence = (name: string, before: boolean, after: boolean): string =>
  before === after ? `${name} changed` : `${name} ${after ? 'set' : 'removed'}`;

const changed = (field: string, before: unknown, after: unknown, describe: (value: unknown) => string | null) => {
  const name = fieldName(field);
  if (field === 'tiles' && Array.isArray(before) && Array.isArray(after))
    return { text: before.length === after.length ? 'Tiles changed' : `${tileCount(before)} → ${tileCount(after)}` };
  if (['properties', 'breakdown_filter'].includes(field) && typeof before === 'boolean')
    return { text: ofPresence(name, before, after === true) };
  if (isAbsent(before) && isAbsent(after)) return { text: `${name} changed` };
  const [from, to] = [before, after].map((value) => (isAbsent(value) ? 'nothing' : (describe(value) ?? said(value))));
  if (typeof from === 'string' && typeof to === 'string') return { text: `${name}: ${from} → ${to}` };
  return { text: `${name} changed`, values: [before, after] };
};

/** What has changed, in words. `describe` says objects, such as definitions, in the words of their page. */
export const changeText = (
  { action, field, before, after }: Change,
  describe: (value: unknown) => string | null = () => null,
): ChangeText[] => {
  const withValues = ({ text, values = [] }: { text: string; values?: readonly unknown[] }): ChangeText => ({
    text,
    values: values.flatMap((value, at) => (isAbsent(value) ? [] : [{ label: at === 0 ? 'Before' : 'After', value }])),
  });
  if (field !== null && action === 'changed') return [withValues(changed(field, before, after, describe))];
  const record = action === 'created' && field === null ? after : null;
  if (typeof record === 'object' && record !== null && !Array.isArray(record))
    return Object.entries(record)
      .filter(([, value]) => !isAbsent(value) && value !== false)
      .map(([name, value]) => {
        if (name === 'tiles' && Array.isArray(value)) return withValues({ text: tileCount(value) });
        const text = describe(value) ?? said(value);
        return withValues(
          text === null ? { text: fieldName(name), values: [null, value] } : { text: `${fieldName(name)}: ${text}` },
        );
      });
  const what = [field === null ? '' : fieldName(field), action].filter(Boolean).join(' ');
  const text = what.charAt(0).toUpperCase() + what.slice(1);
  const parts = partsOf(after ?? before);
  return [
    parts === null ? withValues({ text, values: [before, after] }) : { text: [text, ...parts].join(', '), values: [] },
  ];
};
