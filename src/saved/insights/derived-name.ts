import { type Fields, isFields } from '../../platform/fields/values.js';
import { type SavedQuestion } from '../questions/question.js';
import { longestName } from '../saved.dto.js';

const maths: Readonly<Record<string, string>> = {
  total: '',
  dau: ' by persons',
  weekly_active: ' by weekly active persons',
  monthly_active: ' by monthly active persons',
  unique_session: ' by sessions',
  first_time_for_user: ' for the first time',
  first_matching_event_for_user: ' for the first time that matches',
};

/** Lists and objects may have been sent as JSON text, which the reader of the question has accepted. */
const valueOf = (value: unknown): unknown =>
  typeof value === 'string' && /^\s*[[{"]/.test(value) ? (JSON.parse(value) as unknown) : value;

const listOf = (value: unknown): readonly unknown[] => {
  const list = valueOf(value) ?? [];
  return Array.isArray(list) ? (list as unknown[]) : [list];
};

const nameOf = (sent: unknown): string => {
  const entity = valueOf(sent);
  if (!isFields(entity)) return typeof entity === 'string' ? entity : 'any event';
  const { custom_name, name, id, type } = entity;
  const named = [custom_name, name].find((one) => typeof one === 'string' && one !== '');
  if (typeof named === 'string') return named;
  if (type === 'actions') return `action ${String(id)}`;
  return typeof id === 'string' ? id : 'any event';
};

const orderOf = (entity: unknown): number => (isFields(entity) && typeof entity.order === 'number' ? entity.order : 0);

const entitiesOf = ({ events, actions }: Fields): unknown[] =>
  [...listOf(events), ...listOf(actions).map((one) => (isFields(one) ? { type: 'actions', ...one } : one))].sort(
    (a, b) => orderOf(a) - orderOf(b),
  );

const countedOf = (entity: unknown): string => {
  const { math, math_property: property } = isFields(entity) ? entity : {};
  const words = typeof math === 'string' ? (maths[math] ?? ` by ${math.replaceAll('_', ' ')}`) : '';
  return `${nameOf(entity)}${words}${typeof property === 'string' ? ` of ${property}` : ''}`;
};

const names = (params: Fields, between: string): string => entitiesOf(params).map(nameOf).join(between) || 'any event';

const splitOf = ({ breakdown, breakdowns }: Fields): string => {
  const keys = [
    ...listOf(breakdown).map(String),
    ...listOf(breakdowns).flatMap((one) => (isFields(one) ? [String(one.property as string)] : [])),
  ];
  return keys.length === 0 ? '' : `, split by ${keys.join(' and ')}`;
};

/** The kinds of a node and of those inside of it. */
const kindsOf = ({ kind, source }: Fields): readonly string[] => [
  typeof kind === 'string' ? kind : 'Node',
  ...(isFields(source) ? kindsOf(source) : []),
];

const makers: Readonly<Record<SavedQuestion['type'], (params: Fields) => string>> = {
  trends: (params) => {
    const counted = entitiesOf(params).map(countedOf).join(', ') || 'any event';
    const { formula } = params;
    return `${typeof formula === 'string' && formula !== '' ? `${formula} of ${counted}` : counted}${splitOf(params)}`;
  },
  funnel: (params) => `${names(params, ' → ')}${splitOf(params)}`,
  correlation: (params) => `What goes with ${names(params, ' → ')}`,
  retention: ({ target_entity: target = '$pageview', returning_entity: returning = '$pageview', ...params }) =>
    `Persons who came back with ${nameOf(returning)} after ${nameOf(target)}${splitOf(params)}`,
  paths: () => 'Paths',
  lifecycle: (params) => `Lifecycle of ${names(params, ', ')}`,
  stickiness: (params) => `Stickiness of ${names(params, ', ')}`,
  sql: () => 'Question in SQL',
  node: ({ query }) => (isFields(query) ? kindsOf(query).join(' of ') : 'Node'),
};

/** The name of a question that has none of its own. */
export const derivedName = ({ type, params }: SavedQuestion): string => makers[type](params).slice(0, longestName);
