import { invalidInput } from '../../platform/errors/problem.js';
import { fieldReader } from '../../platform/fields/declaration.js';
import { type Entity, type ReadEntity } from '../shared/entity.js';
import { stepFields } from '../shared/entity-fields.js';

/** A step that persons may skip. */
export interface OptionalStep {
  readonly entity: ReadEntity;
  /** The index, among the steps that nothing skips, of the one before it. */
  readonly after: number;
  /** Its index among all steps. */
  readonly order: number;
}

/** The steps of a question: those that every person takes one after the other, and those that persons may skip. */
export interface FunnelSteps<Step extends Entity = Entity> {
  readonly steps: readonly Step[];
  readonly optional: readonly OptionalStep[];
}

/** The index of a step among those of its kind. */
export type StepIndex = { readonly required: number } | { readonly optional: number };

export const splitSteps = (all: readonly ReadEntity[]): FunnelSteps<ReadEntity> => {
  const steps: ReadEntity[] = [];
  const optional: OptionalStep[] = [];
  for (const [order, entity] of all.entries()) {
    if (!isOptional(entity)) steps.push(entity);
    else if (order > 0) optional.push({ entity, after: steps.length - 1, order });
    else throw refusal(entity, 'must be false: persons enter a funnel by its first step');
  }
  return { steps, optional };
};

export const isOptional = ({ fields, attr }: ReadEntity): boolean =>
  fieldReader(stepFields, fields, attr)('optional_in_funnel');

export const refusal = ({ attr }: ReadEntity, says: string) =>
  invalidInput(`${attr}.optional_in_funnel ${says}`, `${attr}.optional_in_funnel`);

/** All steps in the order of the question. */
export const indexesOf = ({ steps, optional }: FunnelSteps): readonly StepIndex[] => {
  let required = 0;
  return Array.from({ length: steps.length + optional.length }, (_, order) => {
    const at = optional.findIndex((one) => one.order === order);
    return at < 0 ? { required: required++ } : { optional: at };
  });
};

export const stepAt = ({ steps, optional }: FunnelSteps, index: StepIndex): Entity => {
  const step = 'required' in index ? steps[index.required] : optional[index.optional]?.entity;
  if (step === undefined) throw new RangeError('there is no such step');
  return step;
};

/** The index among the steps that persons cannot skip. */
export const requiredIndex = (indexes: readonly StepIndex[], order: number, attr: string): number => {
  const index = indexes[order] ?? { required: order };
  if ('required' in index) return index.required;
  throw invalidInput(`${attr} must not name an optional step`, attr);
};
