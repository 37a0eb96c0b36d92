import { type Behaviour, type CountComparison, type Criterion } from '../definition/definition.js';
import { type ReadCriterionDto } from './preview.dto.js';

/** How a criterion was read, with what the definition leaves out. */
export const readCriterion = (criterion: Criterion): ReadCriterionDto => {
  const path = criterion.at ?? 'filters';
  const negated = criterion.negated ?? false;
  const uncounted = { operator: null, operator_value: null };
  switch (criterion.kind) {
    case 'property':
      return { path, type: 'person', key: criterion.key, criterion: criterion.operator, negated, ...uncounted };
    case 'cohort':
      return { path, type: 'cohort', key: String(criterion.cohortId), criterion: 'in', negated, ...uncounted };
    case 'behaviour': {
      const times = timesOf(criterion);
      const counted = times ? { operator: times.operator, operator_value: times.value } : uncounted;
      return { path, type: 'behavioral', key: criterion.of.key, criterion: criterion.did, negated, ...counted };
    }
  }
};

const timesOf = (behaviour: Behaviour): CountComparison | null => ('times' in behaviour ? behaviour.times : null);
