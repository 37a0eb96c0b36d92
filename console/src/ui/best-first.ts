import { defaultOptionsFilter, type ComboboxItem, type ComboboxParsedItem, type Primitive } from '@mantine/core';

interface Search<Value extends Primitive> {
  readonly options: readonly ComboboxParsedItem<Value>[];
  readonly search: string;
  readonly limit: number;
}

/** How badly an option fits what is typed: 0 is the same text, 1 begins with it, 2 contains it, 3 does not. */
const misfitOf = (label: string, typed: string): number => {
  const text = label.toLowerCase();
  if (text === typed) return 0;
  if (text.startsWith(typed)) return 1;
  return text.includes(typed) ? 2 : 3;
};

/** The options that contain what is typed, and their groups: those first that fit it best. */
export const bestFirst = <Value extends Primitive>({
  options,
  search,
  limit,
}: Search<Value>): ComboboxParsedItem<Value>[] => {
  const typed = search.trim().toLowerCase();
  const misfit = (option: ComboboxParsedItem<Value>): number =>
    'group' in option ? Math.min(3, ...option.items.map(misfit)) : misfitOf(option.label, typed);
  const sorted = <Option extends ComboboxParsedItem<Value>>(items: readonly Option[]): Option[] =>
    items
      .map((option) => ({ option, misfit: misfit(option) }))
      .sort((a, b) => a.misfit - b.misfit)
      .map(({ option }) => option);
  const ordered = sorted(options).map((option) =>
    'group' in option ? { ...option, items: sorted(option.items) } : option,
  );
  return defaultOptionsFilter({ options: ordered, search, limit }) as ComboboxParsedItem<Value>[];
};

/** The option that fits best, or null when none contains what is typed. */
export const bestOption = <Value extends Primitive>(
  options: readonly ComboboxParsedItem<Value>[],
  search: string,
): ComboboxItem<Value> | null => {
  if (search.trim() === '') return null;
  const fitting = bestFirst({ options, search, limit: Infinity });
  return fitting.flatMap((option) => ('group' in option ? option.items : [option]))[0] ?? null;
};
