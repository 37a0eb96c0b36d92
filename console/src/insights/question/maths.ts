import { nounOfIndex } from '../../filters/account-words';
import { type Actors } from '../actors';
import { type Entity } from './entities';

/** The ways in which a series counts, in the words of the page. The names are those of the interface. */
const countingMaths = (many: string) => [
  { value: 'total', label: 'Total count' },
  { value: 'dau', label: `Unique ${many}` },
  { value: 'unique_session', label: 'Unique sessions' },
  { value: 'weekly_active', label: `Weekly active ${many}` },
  { value: 'monthly_active', label: `Monthly active ${many}` },
  { value: 'first_time_for_user', label: 'First time ever' },
  { value: 'first_matching_event_for_user', label: 'First matching event ever' },
];

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

const propertyMaths = aggregates.map(([value, label]) => ({ value, label: `${label} of a property` }));

const perActorMaths = (one: string) =>
  aggregates
    .filter(([value]) => value !== 'sum')
    .map(([value, label]) => ({ value: `${value}_count_per_actor`, label: `${label} per ${one}` }));

const ofGroups = 'unique_group';

type Math = Pick<Entity, 'math' | 'math_group_type_index'>;

/** One text for the math and its type of accounts. */
export const mathValue = ({ math = 'total', math_group_type_index: index }: Math): string =>
  math === ofGroups ? `${ofGroups}:${index}` : math;

export const mathOfValue = (value: string): Math => {
  const [math, index] = value.split(':');
  return {
    math: math === 'total' ? undefined : math,
    math_group_type_index: index === undefined ? undefined : Number(index),
  };
};

/** The accounts that a series counts beside the actors of the question, if it counts such. */
export const groupTypeOfMath = ({ math, math_group_type_index: index }: Math): number | undefined =>
  math === ofGroups ? index : undefined;

const uniqueGroups = ({ types }: Actors, index: number) => ({
  value: mathValue({ math: ofGroups, math_group_type_index: index }),
  label: `Unique ${nounOfIndex(types, index)[1]}`,
});

export const mathGroups = (actors: Actors) => {
  const { groupType, types } = actors;
  const [one, many] = actors.noun;
  const others = types.map(({ group_type_index: index }) => index).filter((index) => index !== groupType);
  return [
    { group: 'Count', items: [...countingMaths(many), ...others.map((index) => uniqueGroups(actors, index))] },
    { group: 'Number of a property', items: propertyMaths },
    { group: `Events of each ${one}`, items: perActorMaths(one) },
  ];
};

export const needsProperty = (math: string | undefined): boolean => propertyMaths.some(({ value }) => value === math);

const countsActors = ['dau', 'weekly_active', 'monthly_active', 'first_time_for_user', ofGroups];

/** True if the number at a point is the number of the persons or accounts behind it. */
export const isOfActors = (math: string | undefined): boolean => math !== undefined && countsActors.includes(math);

export const mathLabel = (math: Math, actors: Actors): string => {
  const index = groupTypeOfMath(math);
  if (index !== undefined) return uniqueGroups(actors, index).label;
  const items = mathGroups(actors).flatMap((group) => group.items);
  return items.find(({ value }) => value === mathValue(math))?.label ?? 'Total count';
};
