import { invalidInput } from '../../platform/errors/problem.js';
import { readSmallId } from '../../platform/values/ids.js';
import { requireObject, assertOnlyKeys, isFields, type Fields } from '../../platform/fields/fields.js';
import { readChoice } from '../../platform/fields/values.js';
import { keyAndOperator } from '../../filters/reading/leaf.js';
import { countOperators } from './definition.js';

export const legacyGroupFields = [
  'properties',
  'event_id',
  'action_id',
  'days',
  'count',
  'count_operator',
  'start_date',
  'end_date',
  'label',
  'id',
  'name',
] as const;

/** Translates the oldest form of a definition, in which any entry suffices, into the current form. */
export const filtersFromGroups = (groups: unknown): { properties: object } => {
  if (!Array.isArray(groups)) throw invalidInput('groups must be a list', 'groups');
  if (groups.length === 0) return { properties: {} };
  return { properties: { type: 'OR', values: groups.map((group, at) => fromGroup(group, `groups.${at}`)) } };
};

const fromGroup = (input: unknown, attr: string): object => {
  const group = requireObject(input, attr);
  assertOnlyKeys(group, attr, { known: legacyGroupFields, rule: `a group has ${legacyGroupFields.join(', ')}` });
  const values = [
    ...(group.properties ? fromProperties(group.properties, `${attr}.properties`) : []),
    ...fromEvent(group, attr),
  ];
  if (values.length === 0) throw invalidInput(`${attr} must have properties, event_id or action_id`, attr);
  return { type: 'AND', values };
};

const fromProperties = (properties: unknown, attr: string): object[] => {
  if (Array.isArray(properties)) {
    return properties.map((leaf, at) => {
      if (!isFields(leaf)) throw invalidInput(`${attr}.${at} must be a filter, an object`, `${attr}.${at}`);
      return { ...leaf, type: leaf.type === undefined || leaf.type === 'event' ? 'person' : leaf.type };
    });
  }
  if (!isFields(properties)) throw invalidInput(`${attr} must be a list of filters`, attr);
  if (Array.isArray(properties.values)) return fromProperties(properties.values, `${attr}.values`);
  return Object.entries(properties).map(([name, value]) => ({ type: 'person', ...keyAndOperator(name), value }));
};

const fromEvent = (group: Fields, attr: string): object[] => {
  const what = eventOrAction(group, attr);
  if (what === null) return [];
  const when = group.start_date
    ? { explicit_datetime: group.start_date, ...(group.end_date ? { explicit_datetime_to: group.end_date } : {}) }
    : { time_value: group.days ?? 365, time_interval: 'day' };
  const operator = readChoice(group.count_operator ?? 'eq', `${attr}.count_operator`, countOperators);
  const often =
    group.count === undefined || group.count === null
      ? { value: 'performed_event' }
      : { value: 'performed_event_multiple', operator, operator_value: group.count };
  return [{ type: 'behavioral', ...what, ...often, ...when }];
};

const eventOrAction = (group: Fields, attr: string): object | null => {
  const [event, action] = [group.event_id ?? null, group.action_id ?? null];
  if (event !== null && action !== null) {
    throw invalidInput(`${attr} must have either event_id or action_id`, `${attr}.action_id`);
  }
  if (action !== null) {
    const id = readSmallId(action);
    if (id === null) throw invalidInput(`${attr}.action_id must be the id of an action`, `${attr}.action_id`);
    return { key: id, event_type: 'actions' };
  }
  if (event === null) return null;
  if (typeof event !== 'string' && typeof event !== 'number') {
    throw invalidInput(`${attr}.event_id must be the name of an event`, `${attr}.event_id`);
  }
  return { key: String(event), event_type: 'events' };
};
