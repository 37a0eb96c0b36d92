import { isPartOf } from '../../filters/reading/filter.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { type NamedActions } from '../../filters/actions/action-lookup.js';
import { type Entity, type ReadEntity, readEntities } from '../shared/entity.js';
import { field } from '../../platform/fields/field.js';
import { fieldReader } from '../../platform/fields/declaration.js';
import { integerSchema } from '../../platform/fields/schema.js';
import { type OrderType } from './order-type.js';

export const maxExclusions = 10;
export const maxFunnelSteps = 20;

const step = (description: string, example: number) => ({
  ...field.position({ description, example }),
  schema: integerSchema(0, maxFunnelSteps - 1),
});

/** The fields that a funnel adds to the entities that spoil an attempt. */
export const exclusionFields = {
  funnel_from_step: step('The index of the step after which it spoils the attempt, from 0.', 0),
  funnel_to_step: step('The index of the step before which it does; the last one by default.', 1),
};

/** An event that spoils an attempt if it happens between two steps of the attempt. */
export interface Exclusion {
  readonly entity: Entity;
  /** The indexes of the two steps, from 0. */
  readonly from: number;
  readonly to: number;
}

export const readExclusions = (
  value: unknown,
  attr: string,
  steps: readonly Entity[],
  orderType: OrderType,
  actions: NamedActions,
): Exclusion[] => {
  const entities = readEntities(value, attr, { actions, extra: exclusionFields });
  if (entities.length > maxExclusions) {
    throw invalidInput(`${attr} must have at most ${maxExclusions} entries`, attr);
  }
  // Without steps there is nothing between steps to exclude.
  return steps.length === 0 ? [] : entities.map((entity) => exclusionOf(entity, steps, orderType));
};

const exclusionOf = (entity: ReadEntity, steps: readonly Entity[], orderType: OrderType): Exclusion => {
  const last = steps.length - 1;
  const { attr, fields } = entity;
  const read = fieldReader(exclusionFields, fields, attr);
  const from = read('funnel_from_step', last) ?? 0;
  const to = read('funnel_to_step', last) ?? last;
  if (from >= to) {
    throw invalidInput(`${attr} must have 0 ≤ funnel_from_step < funnel_to_step ≤ ${last}`, `${attr}.funnel_from_step`);
  }
  if (orderType === 'unordered' && (from !== 0 || to !== last)) {
    throw invalidInput(
      `${attr} must span the whole of an unordered funnel: funnel_from_step 0, funnel_to_step ${last}`,
      `${attr}.${from !== 0 ? 'funnel_from_step' : 'funnel_to_step'}`,
    );
  }
  const step = steps.slice(from, to + 1).find((one) => excludes(entity, one));
  if (step) {
    throw invalidInput(
      `${attr} must not be a step of the funnel between funnel_from_step and funnel_to_step, as ${JSON.stringify(step.name)} is: exclude another event, or some of its events by properties`,
      fields.any_of === undefined ? `${attr}.id` : `${attr}.any_of`,
    );
  }
  return { entity, from, to };
};

/** True if the exclusion takes all events of a step: it names the same events and has no condition of its own. */
const excludes = ({ parts }: Entity, step: Entity): boolean =>
  step.parts.every((one) => parts.some(({ event, filter }) => event === one.event && isPartOf(filter, one.filter)));
