import { operatorOf } from '../../../filters/operators';
import { type AccountType } from '../../../api/types';
import { nounOfIndex, oneOf } from '../../../filters/account-words';
import { accountOf, countOperatorOf, countOperators, kindOfCriterion } from './criteria';
import { isRecord, type Criterion } from './definition';

const text = (value: unknown): string => {
  if (value === undefined || value === null || value === '') return '…';
  if (Array.isArray(value)) return value.map(text).join(' or ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const length = (value: unknown, interval: unknown): string =>
  `${text(value)} ${text(interval)}${Number(value) === 1 ? '' : 's'}`;

const timeOf = (criterion: Criterion): string => {
  const { explicit_datetime: from, explicit_datetime_to: to } = criterion;
  if (from === undefined || from === null)
    return `in the last ${length(criterion['time_value'], criterion['time_interval'])}`;
  return to === undefined || to === null ? `since ${text(from)}` : `between ${text(from)} and ${text(to)}`;
};

const beginningOf = (criterion: Criterion): string => {
  const { explicit_datetime: from, time_value, time_interval } = criterion;
  return from === undefined || from === null ? `the last ${length(time_value, time_interval)}` : text(from);
};

const pauseOf = (criterion: Criterion): string => length(criterion['seq_time_value'], criterion['seq_time_interval']);

const nameOf = (key: unknown, type: unknown): string => (type === 'actions' ? `action ${text(key)}` : `“${text(key)}”`);

const timesOf = (criterion: Criterion): string => {
  const [one, many] = criterion['count_of'] === 'persons' ? ['person', 'persons'] : ['time', 'times'];
  const unit = criterion['operator_value'] === 1 ? one : many;
  const label = countOperators.find(({ value }) => value === countOperatorOf(criterion))?.label ?? '';
  return `${label} ${text(criterion['operator_value'])} ${unit}`;
};

const whatHappened = (criterion: Criterion): string => {
  const event = nameOf(criterion['key'], criterion['event_type']);
  const time = timeOf(criterion);
  const often =
    criterion['count_of'] === 'persons'
      ? `had ${timesOf(criterion)} perform ${event}`
      : `performed ${event} ${timesOf(criterion)}`;
  switch (kindOfCriterion(criterion)) {
    case 'performed_event_multiple':
      return `${often} ${time}`;
    case 'performed_event_first_time':
      return `performed ${event} for the first time ${time}`;
    case 'performed_event_sequence':
      return `performed ${event} and within ${pauseOf(criterion)} ${nameOf(criterion['seq_event'], criterion['seq_event_type'])}, ${time}`;
    case 'performed_event_regularly':
      return `${often} in at least ${text(criterion['min_periods'])} of the last ${text(criterion['total_periods'])} periods of ${length(criterion['time_value'], criterion['time_interval'])}`;
    case 'stopped_performing_event':
      return `performed ${event} ${time}, but not in the last ${pauseOf(criterion)}`;
    case 'restarted_performing_event':
      return `performed ${event} in the last ${pauseOf(criterion)} and before ${beginningOf(criterion)}, but not in between`;
    default:
      return `performed ${event} ${time}`;
  }
};

const filterCount = (filters: unknown): number => {
  if (Array.isArray(filters)) return filters.length;
  const values = typeof filters === 'object' && filters !== null && 'values' in filters ? filters.values : null;
  return Array.isArray(values) ? values.length : 0;
};

/** Names by which a sentence calls what a definition has by number. */
export interface Names {
  readonly cohortName: (id: string) => string;
  readonly types: readonly AccountType[];
  /** The index of the type of the accounts that are members; null: they are persons. */
  readonly groupType: number | null;
}

/** A criterion in words: "have not performed “order paid” in the last 30 days". */
export const sentenceOf = (criterion: Criterion, { cohortName, types, groupType }: Names): string => {
  const kind = kindOfCriterion(criterion);
  const isNegated = criterion['negation'] === true;
  const account = groupType === null ? accountOf(criterion) : undefined;
  const noun = account === undefined ? null : nounOfIndex(types, account);
  const belong = noun && `belong to ${isNegated ? `no ${noun[0]}` : oneOf(noun)} that has`;
  if (kind === 'cohort') {
    const { value, operator } = criterion;
    const isOut = isNegated !== (operator === 'not_in' || operator === 'is_not');
    const names = (Array.isArray(value) ? value : [value]).map((id) => cohortName(text(id)));
    return `are ${isOut ? 'not ' : ''}in ${names.join(' or ')}`;
  }
  if (kind === 'property') {
    const { label, takes } = operatorOf(typeof criterion['operator'] === 'string' ? criterion['operator'] : undefined);
    const value = takes === 'none' ? '' : ` ${text(criterion['value'])}`;
    return `${belong ?? (isNegated ? 'do not have' : 'have')} a property ${text(criterion['key'])} that ${label}${value}`;
  }
  const filters = filterCount(criterion['event_filters']);
  const where = filters === 0 ? '' : ` (with ${filters} ${filters === 1 ? 'filter' : 'filters'})`;
  return `${belong ?? (isNegated ? 'have not' : 'have')} ${whatHappened(criterion)}${where}`;
};

/** A stored definition in words; null for a value that is none. */
export const definitionText = (value: unknown, names: Names): string | null => {
  if (!isRecord(value) || !isRecord(value['properties'])) return null;
  const ofGroup = ({ type, values }: Record<string, unknown>): string =>
    (Array.isArray(values) ? values : [])
      .filter(isRecord)
      .map((part) => (Array.isArray(part['values']) ? `(${ofGroup(part)})` : sentenceOf(part, names)))
      .join(type === 'OR' ? ' or ' : ' and ');
  return `those who ${ofGroup(value['properties'])}`;
};
