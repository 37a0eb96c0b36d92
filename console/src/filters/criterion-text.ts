import { type Criterion } from '../api/types';
import { operators } from './operators';
import { formatNumber } from '../ui/format';
import { valueText } from '../ui/value';

/** How a criterion begins when it is meant as it is, and when it is negated. */
const behaviours: Readonly<Record<string, readonly [plain: string, negated: string]>> = {
  performed_event: ['did', 'did not do'],
  performed_event_multiple: ['did', 'did not do'],
  performed_event_first_time: ['did for the first time', 'did not do for the first time'],
  performed_event_sequence: ['did in sequence', 'did not do in sequence'],
  performed_event_regularly: ['did regularly', 'did not do regularly'],
  stopped_performing_event: ['stopped doing', 'did not stop doing'],
  restarted_performing_event: ['did again after a break', 'did not do again after a break'],
};

const counts: Readonly<Record<string, string>> = {
  eq: 'exactly',
  exact: 'exactly',
  gte: 'at least',
  lte: 'at most',
  gt: 'more than',
  lt: 'fewer than',
};

/** A criterion in words. Its own time and values are in the cohort's definition. */
export const criterionText = ({
  type,
  key,
  criterion,
  negated,
  operator,
  operator_value: times,
}: Criterion): string => {
  if (type === 'cohort') return `is ${negated ? 'not ' : ''}in cohort ${key}`;
  const name = criterion.replaceAll('_', ' ');
  if (type === 'person' || type === 'group') {
    const label = operators.find((known) => known.name === criterion)?.label ?? name;
    const property = `property ${key} ${label} …`;
    if (type === 'group') return `belongs to ${negated ? 'no account' : 'an account'} with the ${property}`;
    return `${negated ? 'the opposite of: ' : ''}${property}`;
  }
  const [plain, opposite] = behaviours[criterion] ?? [name, `not ${name}`];
  const often = operator === null || times === null ? '' : ` ${counts[operator] ?? operator} ${timesText(times)}`;
  return `${negated ? opposite : plain} “${key}”${often}`;
};

const timesText = (times: number): string => `${formatNumber(times)} ${times === 1 ? 'time' : 'times'}`;

const countText = (name: string, value: unknown): string => {
  if (typeof value !== 'number') return `${name.replaceAll('_', ' ')}: ${valueText(value)}`;
  return name === 'times' ? timesText(value) : `${name.replaceAll('_', ' ')}: ${formatNumber(value)}`;
};

/** The value that the service compared. */
export const seenText = ({ type, key, seen }: Criterion): string => {
  if (type === 'cohort')
    return seen === true ? `The person is in cohort ${key}.` : `The person is not in cohort ${key}.`;
  if (type === 'group')
    return seen === true ? 'The person belongs to such an account.' : 'The person belongs to no such account.';
  if (type === 'person')
    return seen === null ? `The person has no ${key}.` : `The value of ${key} is ${valueText(seen)}.`;
  if (typeof seen !== 'object' || seen === null) return `Seen: ${valueText(seen)}.`;
  const parts = Object.entries(seen).map(([name, value]) => countText(name, value));
  return parts.length === 0 ? 'The service counts nothing for this criterion.' : `Seen: ${parts.join(', ')}.`;
};
