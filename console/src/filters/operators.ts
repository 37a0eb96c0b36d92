export interface Operator {
  readonly name: string;
  readonly label: string;
  /** How many values it takes. */
  readonly takes: 'none' | 'one' | 'two' | 'many';
}

export const operators: readonly Operator[] = [
  { name: 'exact', label: 'is', takes: 'many' },
  { name: 'is_not', label: 'is not', takes: 'many' },
  { name: 'icontains', label: 'contains', takes: 'one' },
  { name: 'not_icontains', label: 'does not contain', takes: 'one' },
  { name: 'regex', label: 'matches the regex', takes: 'one' },
  { name: 'not_regex', label: 'does not match the regex', takes: 'one' },
  { name: 'gt', label: '>', takes: 'one' },
  { name: 'gte', label: '≥', takes: 'one' },
  { name: 'lt', label: '<', takes: 'one' },
  { name: 'lte', label: '≤', takes: 'one' },
  { name: 'between', label: 'is between', takes: 'two' },
  { name: 'not_between', label: 'is not between', takes: 'two' },
  { name: 'is_set', label: 'is set', takes: 'none' },
  { name: 'is_not_set', label: 'is not set', takes: 'none' },
  { name: 'is_date_exact', label: 'is on', takes: 'one' },
  { name: 'is_date_before', label: 'is before', takes: 'one' },
  { name: 'is_date_after', label: 'is after', takes: 'one' },
];

const sameAs: Readonly<Record<string, string>> = { in: 'exact', not_in: 'is_not' };

export const operatorOf = (name = 'exact'): Operator =>
  operators.find((operator) => operator.name === (sameAs[name] ?? name)) ?? { name, label: name, takes: 'one' };
