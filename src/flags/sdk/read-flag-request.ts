import { required } from '../../platform/errors/problem.js';
import { type Fields } from '../../platform/fields/values.js';
import { type FlagRequest } from '../evaluation/flag-decisions.js';

/** Reads what an SDK asks. As in capture, what is not known has no effect. */
export const readFlagRequest = (body: Fields, query: Fields): FlagRequest => {
  const distinctId = textOf(body.distinct_id) ?? textOf(body.$distinct_id) ?? textOf(query.distinct_id);
  const keys = [body.flag_keys_to_evaluate, body.flag_keys].find(Array.isArray) as readonly unknown[] | undefined;
  const isOff = body.disable_flags === true || body.disable_flags === 'true';
  if (distinctId === null && !isOff) throw required('distinct_id');
  return {
    distinctId: distinctId ?? '',
    groups: body.groups ?? body.$groups,
    personProperties: body.person_properties,
    groupProperties: body.group_properties,
    keys: isOff ? [] : (keys?.filter((key) => typeof key === 'string') ?? null),
  };
};

const textOf = (value: unknown): string | null => {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
};
