import { completeFilter, readFilter } from '../../../filters/filter';
import { isRecord, type Criterion, type CriterionNode } from './definition';

/** The kinds of criteria: about a property, about the membership in a cohort, and seven about events. */
export const kinds = [
  { value: 'performed_event', label: 'performed' },
  { value: 'performed_event_multiple', label: 'performed several times' },
  { value: 'performed_event_first_time', label: 'performed for the first time' },
  { value: 'performed_event_sequence', label: 'performed in a sequence' },
  { value: 'performed_event_regularly', label: 'performed regularly' },
  { value: 'stopped_performing_event', label: 'stopped performing' },
  { value: 'restarted_performing_event', label: 'restarted performing' },
  { value: 'property', label: 'the property' },
  { value: 'cohort', label: 'in the cohort' },
] as const;

export type Kind = (typeof kinds)[number]['value'];

export const kindOfCriterion = ({ type, value }: Criterion): Kind => {
  if (type === 'behavioral') return kinds.find((kind) => kind.value === value)?.value ?? 'performed_event';
  return typeof type === 'string' && type.includes('cohort') ? 'cohort' : 'property';
};

/**
 * The index of the type of the accounts that the criterion is about: the person belongs to one of them. Undefined: it is about
 * the person.
 */
export const accountOf = ({ group_type_index: index }: Criterion): number | undefined =>
  typeof index === 'number' ? index : undefined;

export const intervals = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;

export const countOperators = [
  { value: 'gte', label: 'at least' },
  { value: 'lte', label: 'at most' },
  { value: 'eq', label: 'exactly' },
  { value: 'gt', label: 'more than' },
  { value: 'lt', label: 'fewer than' },
] as const;

/** The operator of a criterion that counts; `exact` and no operator mean `eq`. */
export const countOperatorOf = ({ operator }: Criterion): string =>
  countOperators.find(({ value }) => value === operator)?.value ?? 'eq';

const spanFields = ['time_value', 'time_interval', 'explicit_datetime', 'explicit_datetime_to'];
const sharedFields = ['key', 'event_type', 'event_filters', 'negation', 'group_type_index'];
const pauseFields = ['seq_time_value', 'seq_time_interval'];
const countFields = ['operator', 'operator_value', 'count_of'];

const fieldsOf: Readonly<Record<Kind, readonly string[]>> = {
  performed_event: spanFields,
  performed_event_multiple: [...spanFields, ...countFields],
  performed_event_first_time: spanFields,
  performed_event_sequence: [...spanFields, ...pauseFields, 'seq_event', 'seq_event_type', 'seq_event_filters'],
  performed_event_regularly: ['time_value', 'time_interval', ...countFields, 'min_periods', 'total_periods'],
  stopped_performing_event: [...spanFields, ...pauseFields],
  restarted_performing_event: [...spanFields, ...pauseFields],
  property: [],
  cohort: [],
};

const lastMonth = { time_value: 30, time_interval: 'day' };
const lastWeek = { seq_time_value: 7, seq_time_interval: 'day' };

const defaultsOf: Readonly<Record<Kind, Criterion>> = {
  performed_event: lastMonth,
  performed_event_multiple: { ...lastMonth, operator: 'gte', operator_value: 3 },
  performed_event_first_time: lastMonth,
  performed_event_sequence: { ...lastMonth, seq_event: '', seq_event_type: 'events', ...lastWeek },
  performed_event_regularly: {
    time_value: 1,
    time_interval: 'week',
    operator: 'gte',
    operator_value: 1,
    min_periods: 3,
    total_periods: 4,
  },
  stopped_performing_event: { ...lastMonth, ...lastWeek },
  restarted_performing_event: { ...lastMonth, ...lastWeek },
  property: { type: 'person', key: '', operator: 'exact' },
  cohort: { type: 'cohort', key: 'id', operator: 'in' },
};

export const newCriterion = (): Criterion => ({
  type: 'behavioral',
  value: 'performed_event',
  key: '',
  event_type: 'events',
  ...lastMonth,
});

const pick = (criterion: Criterion, fields: readonly string[]): Criterion =>
  Object.fromEntries(
    Object.entries(criterion).filter(([field, value]) => fields.includes(field) && value !== undefined),
  );

/** The criterion about accounts of a type instead of the person, or the other way round. Their properties are others. */
export const ofAccounts = ({ group_type_index: _, ...criterion }: Criterion, index: number | undefined): Criterion => {
  const whose = index === undefined ? {} : { group_type_index: index };
  if (criterion['type'] !== 'person' && criterion['type'] !== 'group') return { ...criterion, ...whose };
  return { ...criterion, type: index === undefined ? 'person' : 'group', ...whose, key: '', value: undefined };
};

/** The criterion as one of another kind, about the accounts of the type `index` if there is one, with what both have in common. */
export const withKind = (criterion: Criterion, kind: Kind, index = accountOf(criterion)): Criterion => {
  const negation = criterion['negation'] === true ? { negation: true } : {};
  if (kind === 'cohort') return { ...defaultsOf[kind], ...negation };
  if (kind === 'property') return { ...ofAccounts(defaultsOf[kind], index), ...negation };
  const isAboutEvents = criterion['type'] === 'behavioral';
  // Regular periods are a week or a day long: the length of another criterion's time would make no sense for them.
  const isOtherTime = (kind === 'performed_event_regularly') !== (criterion['value'] === 'performed_event_regularly');
  const shared = isAboutEvents
    ? pick(criterion, [
        ...sharedFields,
        ...fieldsOf[kind].filter((field) => !isOtherTime || !spanFields.includes(field)),
      ])
    : { ...ofAccounts({ key: '', event_type: 'events' }, index), ...negation };
  const hasSpan = 'explicit_datetime' in shared;
  const defaults = hasSpan
    ? { ...defaultsOf[kind], time_value: undefined, time_interval: undefined }
    : defaultsOf[kind];
  return { type: 'behavioral', value: kind, ...defaults, ...shared };
};

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && (!Array.isArray(value) || value.length > 0);

const neededBy: Readonly<Record<Kind, readonly string[]>> = {
  performed_event: [],
  performed_event_multiple: ['operator_value'],
  performed_event_first_time: [],
  performed_event_sequence: ['seq_event', ...pauseFields],
  performed_event_regularly: ['operator_value', 'min_periods', 'total_periods'],
  stopped_performing_event: pauseFields,
  restarted_performing_event: pauseFields,
  property: [],
  cohort: [],
};

/** True if the criterion has enough fields to be calculated. */
export const isComplete = ({ criterion, isStored }: CriterionNode): boolean => {
  if (isStored) return true;
  const { key, operator, value } = criterion;
  const kind = kindOfCriterion(criterion);
  if (kind === 'cohort') return isGiven(value);
  if (!isGiven(key)) return false;
  if (kind === 'property') {
    if (operator === 'is_set' || operator === 'is_not_set') return true;
    if (operator === 'between' || operator === 'not_between')
      return Array.isArray(value) && value.length === 2 && value.every(isGiven);
    return isGiven(value);
  }
  const hasTime =
    isGiven(criterion['explicit_datetime']) ||
    (isGiven(criterion['time_value']) && isGiven(criterion['time_interval']));
  return hasTime && neededBy[kind].every((field) => isGiven(criterion[field]));
};

/** Filters in the forms that the builder can show; older forms are kept as they are. */
export const isEditableFilter = (filters: unknown): boolean =>
  filters === undefined ||
  filters === null ||
  Array.isArray(filters) ||
  (isRecord(filters) && Array.isArray(filters['values']));

const writtenFilter = (filters: unknown): unknown => {
  if (!isEditableFilter(filters)) return filters;
  const whole = completeFilter(readFilter(filters));
  return whole.values.length === 0 ? undefined : whole;
};

/** The criterion as it is sent: without fields that are empty, and without filters that are still being written. */
export const writtenCriterion = ({ criterion, isStored }: CriterionNode): Criterion => {
  if (isStored) return criterion;
  const filters = Object.fromEntries(
    ['event_filters', 'seq_event_filters']
      .filter((field) => field in criterion)
      .map((field) => [field, writtenFilter(criterion[field])]),
  );
  return Object.fromEntries(
    Object.entries({ ...criterion, ...filters }).filter(([, value]) => value !== undefined && value !== ''),
  );
};
