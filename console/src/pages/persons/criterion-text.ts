import { type components } from '../../api/schema';
import { operators } from '../../filters/operators';
import { formatNumber } from '../../ui/format';
import { valueText } from './value';

type Criterion = components['schemas']['CriterionDto'];

const behaviours: Readonly<Record<string, string>> = {
  performed_event: 'did the event',
  performed_event_multiple: 'did the event a number of times',
  performed_event_first_time: 'did the event for the first time in the time given',
  performed_event_sequence: 'did the events one after the other',
  performed_event_regularly: 'did the event regularly',
  stopped_performing_event: 'stopped doing the event',
  restarted_performing_event: 'did the event again after a break',
};

const counts: Readonly<Record<string, string>> = {
  eq: 'exactly',
  exact: 'exactly',
  gte: 'at least',
  lte: 'at most',
  gt: 'more than',
  lt: 'fewer than',
};

/** A criterion in words. Its own time and values stand in the cohort's definition. */
export const criterionText = ({
  type,
  key,
  criterion,
  negated,
  operator,
  operator_value: times,
}: Criterion): string => {
  const not = negated ? 'not: ' : '';
  if (type === 'cohort') return `${not}is in cohort ${key}`;
  if (type === 'person') {
    const label = operators.find(({ name }) => name === criterion)?.label ?? criterion.replaceAll('_', ' ');
    return `${not}property ${key} ${label} …`;
  }
  const often =
    operator === null || times === null ? '' : `, ${counts[operator] ?? operator} ${formatNumber(times)} times`;
  return `${not}${behaviours[criterion] ?? criterion.replaceAll('_', ' ')}: ${key}${often}`;
};

const countOf = (name: string, value: unknown): string =>
  `${name.replaceAll('_', ' ')} ${typeof value === 'number' ? formatNumber(value) : valueText(value)}`;

/** What the service saw when it compared. */
export const seenText = ({ type, key, seen }: Criterion): string => {
  if (type === 'cohort')
    return seen === true ? `The person is in cohort ${key}.` : `The person is not in cohort ${key}.`;
  if (type === 'person')
    return seen === null ? `The person has no ${key}.` : `The value of ${key} is ${valueText(seen)}.`;
  if (typeof seen === 'number') return `Seen: ${formatNumber(seen)} events.`;
  if (typeof seen !== 'object' || seen === null) return `Seen: ${valueText(seen)}.`;
  const parts = Object.entries(seen).map(([name, value]) => countOf(name, value));
  return parts.length === 0 ? 'The service counts nothing for this criterion.' : `Seen: ${parts.join(', ')}.`;
};
