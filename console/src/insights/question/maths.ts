/** The ways in which a series counts, in the words of the page. The names are those of the interface. */
export const countingMaths = [
  { value: 'total', label: 'Total count' },
  { value: 'dau', label: 'Unique persons' },
  { value: 'unique_session', label: 'Unique sessions' },
  { value: 'weekly_active', label: 'Weekly active persons' },
  { value: 'monthly_active', label: 'Monthly active persons' },
  { value: 'first_time_for_user', label: 'First time ever' },
] as const;

const aggregates = [
  ['sum', 'Sum'],
  ['avg', 'Average'],
  ['median', 'Median'],
  ['min', 'Minimum'],
  ['max', 'Maximum'],
  ['p75', '75th percentile'],
  ['p90', '90th percentile'],
  ['p95', '95th percentile'],
  ['p99', '99th percentile'],
] as const;

export const propertyMaths = aggregates.map(([value, label]) => ({ value, label: `${label} of a property` }));

export const perPersonMaths = aggregates
  .filter(([value]) => value !== 'sum')
  .map(([value, label]) => ({ value: `${value}_count_per_actor`, label: `${label} per person` }));

export const mathGroups = [
  { group: 'Count', items: [...countingMaths] },
  { group: 'Number of a property', items: propertyMaths },
  { group: 'Events of each person', items: perPersonMaths },
];

export const needsProperty = (math: string | undefined): boolean => propertyMaths.some(({ value }) => value === math);

const countsPersons = ['dau', 'weekly_active', 'monthly_active', 'first_time_for_user'];

/** True if the number at a point is the number of the persons behind it. */
export const isOfPersons = (math: string | undefined): boolean => math !== undefined && countsPersons.includes(math);

const labels: ReadonlyMap<string, string> = new Map(
  mathGroups.flatMap(({ items }) => items.map(({ value, label }) => [value, label] as const)),
);

export const mathLabel = (math: string | undefined): string => labels.get(math ?? 'total') ?? 'Total count';
