export const operators = [
  'exact',
  'is_not',
  'icontains',
  'not_icontains',
  'regex',
  'not_regex',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'not_between',
  'is_set',
  'is_not_set',
  'is_date_exact',
  'is_date_before',
  'is_date_after',
] as const;

/** `in` and `not_in` are read as `exact` and `is_not`. */
export type Operator = (typeof operators)[number];

export const synonyms: Readonly<Record<string, Operator>> = { in: 'exact', not_in: 'is_not' };

/** The operator with this name or synonym; null for any other value. */
export const operatorNamed = (name: unknown): Operator | null => {
  if (typeof name !== 'string') return null;
  return Object.hasOwn(synonyms, name)
    ? (synonyms[name] ?? null)
    : (operators.find((operator) => operator === name) ?? null);
};
