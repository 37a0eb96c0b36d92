import { invalidInput } from '../../platform/errors/problem.js';
import { readSmallId } from '../../platform/values/ids.js';
import { field } from '../../platform/fields/field.js';
import { type Fields, isFields, requireObject } from '../../platform/fields/values.js';
import { listSchema, orElse, orText, schemaNamed, type Schema, type Schemas } from '../../platform/fields/schema.js';
import { eventFilters, personFilters } from '../../filters/reading/filter-fields.js';
import { keyAndOperator } from '../../filters/reading/leaf.js';
import { countOperators } from './definition.js';

const integerOrText = orText({ type: 'integer', nullable: true });
const text: Schema = { type: 'string', nullable: true };
const countOperator = field.choice(countOperators, {
  description: 'How `count` is compared.',
  example: 'gte',
});

const declared = {
  properties: field.any({
    // Old clients write `event` as the type of all filters; it is read as `person`.
    schema: orElse(personFilters.schema, eventFilters.schema),
    description: 'Filters on the person; the type `event`, which old clients write, means `person` here.',
  }),
  event_id: field.any({
    schema: orElse(text, { type: 'number' }),
    description: 'The name of an event.',
    example: 'signed up',
  }),
  action_id: field.any({
    schema: integerOrText,
    description: 'The id of an action.',
    example: null,
  }),
  days: field.any({
    schema: integerOrText,
    description: 'The last days; 365 by default.',
    example: 30,
  }),
  count: field.any({
    schema: integerOrText,
    description: 'How often; once by default.',
    example: 1,
  }),
  count_operator: countOperator,
  start_date: field.any({ schema: text, description: 'In place of `days`: the beginning.', example: null }),
  end_date: field.any({ schema: text, description: 'With `start_date`: the end.', example: null }),
};

const ignored = ['label', 'id', 'name'];

const legacyGroup = field.record(declared, {
  description: 'A group of the oldest form of a definition.',
  rule: `a group has ${[...Object.keys(declared), ...ignored].join(', ')}`,
  ignored,
});

export const legacyGroupSchemas: Schemas = { LegacyCohortGroup: legacyGroup.schema };
export const legacyCohortGroups = listSchema(schemaNamed('LegacyCohortGroup'));

/** Translates the oldest form of a definition, in which one matching entry is enough, into the current form. */
export const filtersFromGroups = (groups: unknown): { properties: object } => {
  if (!Array.isArray(groups)) throw invalidInput('groups must be a list', 'groups');
  if (groups.length === 0) return { properties: {} };
  return { properties: { type: 'OR', values: groups.map((group, at) => fromGroup(group, `groups.${at}`)) } };
};

const fromGroup = (input: unknown, attr: string): object => {
  const group = requireObject(input, attr);
  legacyGroup.reader(group, attr);
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
  const operator = countOperator.read(group.count_operator, `${attr}.count_operator`) ?? 'eq';
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
