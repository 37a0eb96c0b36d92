import { required } from '../../platform/errors/problem.js';
import { type ReadEntity } from '../shared/entity.js';
import { field } from '../../platform/fields/field.js';
import { shortText } from '../shared/entity-fields.js';

/** The functions that make one number of many. */
export const aggregates = ['sum', 'avg', 'min', 'max', 'median', 'p75', 'p90', 'p95', 'p99'] as const;

export type Aggregate = (typeof aggregates)[number];

/** The meaning of the number at a point. */
export type Maths =
  /** The number of events. */
  | { readonly kind: 'total' }
  /** The number of persons. */
  | { readonly kind: 'dau' }
  /** The number of persons active on the first day of the point or in the days before. */
  | { readonly kind: 'reach'; readonly days: number }
  /** The number of persons whose first such event ever is at the point. */
  | { readonly kind: 'first' }
  /** The aggregate of a numeric property of events. */
  | { readonly kind: 'property'; readonly aggregate: Aggregate; readonly key: string }
  /** The aggregate of the number of events of each person with at least one. */
  | { readonly kind: 'perActor'; readonly aggregate: Aggregate };

const plain: Readonly<Record<string, Maths>> = {
  total: { kind: 'total' },
  dau: { kind: 'dau' },
  weekly_active: { kind: 'reach', days: 7 },
  monthly_active: { kind: 'reach', days: 30 },
  first_time_for_user: { kind: 'first' },
};

const perActor = new Map<string, Maths>(
  aggregates
    .filter((aggregate) => aggregate !== 'sum')
    .map((aggregate) => [`${aggregate}_count_per_actor`, { kind: 'perActor', aggregate }]),
);

export const mathNames: readonly string[] = [...Object.keys(plain), ...aggregates, ...perActor.keys()];

/** The fields that trends add to entities. */
export const mathFields = {
  math: field.choice(mathNames, { fallback: 'total', description: 'What is counted of it.' }),
  math_property: shortText('The property of which `math` makes a number.', 'price'),
};

export const mathName = ({ fields, attr }: ReadEntity): string => mathFields.math.read(fields.math, `${attr}.math`);

export const readMath = (entity: ReadEntity): Maths => {
  const { fields, attr } = entity;
  const name = mathName(entity);
  const simple = Object.hasOwn(plain, name) ? plain[name] : perActor.get(name);
  if (simple) return simple;
  const key = mathFields.math_property.read(fields.math_property, `${attr}.math_property`);
  if (key === null || key === '') throw required(`${attr}.math_property`);
  return { kind: 'property', aggregate: name as Aggregate, key };
};
