import { invalidInput } from '../../common/errors/problem.js';
import { type NamedActions } from '../../actions/named-actions.js';
import { type Entity, readEntities, type ReadEntity } from '../shared/entity.js';
import { integerField } from '../../common/params/fields.js';
import { type OrderType } from './order-type.js';

export const maxExclusions = 10;

/** An event that spoils an attempt if it happens between two steps of the attempt. */
export interface Exclusion {
  readonly entity: Entity;
  /** The places of the two steps, from 0. */
  readonly from: number;
  readonly to: number;
}

/** `steps`: the number of steps of the funnel. */
export const readExclusions = (
  value: unknown,
  attr: string,
  steps: number,
  orderType: OrderType,
  actions: NamedActions,
): Exclusion[] => {
  const entities = readEntities(value, attr, { actions, extra: ['funnel_from_step', 'funnel_to_step'] });
  if (entities.length > maxExclusions) {
    throw invalidInput(`${attr} must have at most ${maxExclusions} entries`, attr);
  }
  // Without steps there is nothing between steps to exclude.
  return steps === 0 ? [] : entities.map((entity) => exclusionOf(entity, steps - 1, orderType));
};

const exclusionOf = (entity: ReadEntity, last: number, orderType: OrderType): Exclusion => {
  const { attr, fields } = entity;
  const place = (key: string) => integerField(fields, key, attr, { min: 0, max: last });
  const from = place('funnel_from_step') ?? 0;
  const to = place('funnel_to_step') ?? last;
  if (from >= to) {
    throw invalidInput(`${attr} must have 0 ≤ funnel_from_step < funnel_to_step ≤ ${last}`, `${attr}.funnel_from_step`);
  }
  if (orderType === 'unordered' && (from !== 0 || to !== last)) {
    throw invalidInput(
      `${attr} must span the whole of an unordered funnel: funnel_from_step 0, funnel_to_step ${last}`,
      `${attr}.${from !== 0 ? 'funnel_from_step' : 'funnel_to_step'}`,
    );
  }
  return { entity, from, to };
};
