import { firstTimeMath } from '../../analytics/shared/entity-fields.js';
import { invalidInput, required } from '../../platform/errors/problem.js';
import { type Fields, isFields, requireList, requireObject } from '../../platform/fields/values.js';
import {
  becomes,
  objectOf,
  presentation,
  readNodeFields,
  refused,
  withoutEffect,
  works,
  writeList,
  writeNodeFields,
  type NodeField,
  type NodeShape,
} from './node-fields.js';
import { fixedProperties, nodeBasics, noWarehouse } from './shared-fields.js';
import { type Translation } from './translation.js';
import { HasNoNode, type Unwritten, writeAll } from './unwritten.js';

const maxSeries = 50;

/** The maths of an insight that counts persons, which all mean the same there. */
const personMaths: readonly unknown[] = ['total', 'dau'];

const note = 'all maths in trends; in funnels `total` and `first_time_for_user`; elsewhere only `total`';

const onlyTotal = works(
  (value, attr) => {
    if (personMaths.includes(value)) return;
    throw invalidInput(`${attr} must be total here: this insight counts persons, and math is for TrendsQuery`, attr);
  },
  note,
  (from) => {
    const math = from.take('math');
    if (math !== undefined && !personMaths.includes(math)) throw new HasNoNode();
    return undefined;
  },
);

const common = (math: NodeField): NodeShape => ({
  ...nodeBasics,
  name: becomes('name'),
  custom_name: becomes('custom_name'),
  math: math,
  math_multiplier: becomes('math_multiplier', 'of numbers of a property'),
  math_property: becomes('math_property'),
  math_property_type: refused('math takes properties of events', [
    'event',
    'event_properties',
    'numerical_event_properties',
  ]),
  math_property_revenue_currency: refused('amounts are not converted to a currency'),
  math_hogql: becomes(
    'math_hogql',
    'with the math `hogql`: an aggregate of the events of the insight, without a SELECT',
  ),
  math_group_type_index: becomes('math_group_type_index', 'with the math `unique_group`'),
  properties: becomes('properties'),
  fixedProperties,
  optionalInFunnel: becomes('optional_in_funnel', 'for the steps of a FunnelsQuery; elsewhere without effect'),
});

const ofLists = 'belongs to lists of events, not to series';

const eventsNode = (math: NodeField): NodeShape => ({
  ...common(math),
  event: becomes('id', 'absent or null: any event'),
  limit: withoutEffect(ofLists),
  orderBy: withoutEffect(ofLists),
});

const actionsNode = (math: NodeField): NodeShape => ({ ...common(math), id: becomes('id') });

const groupNode = (math: NodeField): NodeShape => ({
  ...common(math),
  operator: works((value, attr) => {
    if (value === 'OR') return;
    throw invalidInput(`${attr} must be OR: one event cannot be several`, attr);
  }, 'only `OR`'),
  nodes: works(readNodesOfGroup, 'nodes of the kind EventsNode, with the math of the group', (from) =>
    writeList(from.takeList('any_of'), (part) => ({ kind: 'EventsNode', ...writeNodeFields(eventsNode(math), part) })),
  ),
  limit: withoutEffect(ofLists),
  orderBy: withoutEffect(ofLists),
});

/** Fields of the nodes of a group for which those of the group hold. */
const ofGroupAlone: NodeShape = {
  name: presentation,
  custom_name: presentation,
  optionalInFunnel: withoutEffect('that of the group holds'),
};

function readNodesOfGroup(value: unknown, attr: string, into: Translation): void {
  const ofGroup = into.params.math ?? 'total';
  const sameMath = works((math, place) => {
    if (math === ofGroup) return;
    throw invalidInput(`${place} must be that of the group: its nodes count as one event`, place);
  });
  const parts = requireList(value, attr, maxSeries).map((node, at) => {
    const part = into.inside(`any_of.${at}`);
    const place = `${attr}.${at}`;
    const { kind } = requireObject(node, place);
    if (kind !== 'EventsNode')
      throw invalidInput(`${place}.kind must be EventsNode: a group has events only`, `${place}.kind`);
    part.set('id', null, `${place}.event`);
    readNodeFields({ ...eventsNode(sameMath), ...ofGroupAlone }, node, place, part);
    return part.params;
  });
  into.set('any_of', parts, attr);
  into.params.name ??= parts
    .map(({ id }) => (typeof id === 'string' ? id : 'any event'))
    .join(' or ')
    .slice(0, 400);
}

const retentionEntity: NodeShape = {
  id: becomes('id', 'null: any event'),
  kind: withoutEffect('`type` names the kind'),
  name: becomes('name'),
  custom_name: becomes('custom_name'),
  type: becomes('type', '`events` or `actions`'),
  order: withoutEffect('there is one entity'),
  uuid: withoutEffect('it names the entity in a form'),
  properties: becomes('properties'),
  table_name: refused(noWarehouse),
  timestamp_field: refused(noWarehouse),
  aggregation_target_field: refused(noWarehouse),
};

const trendsMath = becomes('math', note);

const mathOfStep = works(
  (value, attr, into) => {
    if (value === firstTimeMath) into.set('math', value, attr);
    else onlyTotal.read(value, attr, into);
  },
  note,
  (from) => {
    const math = from.take('math');
    if (math !== undefined && math !== firstTimeMath && !personMaths.includes(math)) throw new HasNoNode();
    return math === firstTimeMath ? math : undefined;
  },
);

/** The kinds of insights, by the maths of their entities. */
type MathsOf = 'trends' | 'steps' | 'persons';

const mathsOf: Readonly<Record<MathsOf, NodeField>> = { trends: trendsMath, steps: mathOfStep, persons: onlyTotal };

/** The fields of nodes that name what is counted, for the table. */
export const entityNodes = {
  EventsNode: eventsNode(trendsMath),
  ActionsNode: actionsNode(trendsMath),
  GroupNode: groupNode(trendsMath),
  RetentionEntity: retentionEntity,
} satisfies Record<string, NodeShape>;

/** Reads a node into an entity of our own questions; `more` are fields that the insight adds. */
export const readEntityNode = (
  node: unknown,
  attr: string,
  entity: Translation,
  math: MathsOf,
  more: NodeShape = {},
): Fields => {
  const { kind } = requireObject(node, attr);
  const own = mathsOf[math];
  if (kind === 'EventsNode') {
    entity.set('id', null, `${attr}.event`);
    readNodeFields({ ...eventsNode(own), ...more }, node, attr, entity);
  } else if (kind === 'ActionsNode') {
    readNodeFields({ ...actionsNode(own), ...more }, node, attr, entity);
    if (entity.params.id === undefined) throw required(`${attr}.id`);
    entity.set('type', 'actions', `${attr}.kind`);
  } else if (kind === 'GroupNode') {
    readNodeFields({ ...groupNode(own), ...more }, node, attr, entity);
    if (entity.params.any_of === undefined) throw required(`${attr}.nodes`);
  } else {
    const hint = typeof kind === 'string' && kind.includes('DataWarehouse') ? `: ${noWarehouse}` : '';
    throw invalidInput(`${attr}.kind must be EventsNode, ActionsNode or GroupNode${hint}`, `${attr}.kind`);
  }
  return entity.params;
};

/** Writes an entity of our own questions as a node. */
export const writeEntityNode = (from: Unwritten, math: MathsOf, more: NodeShape = {}): Fields => {
  const own = mathsOf[math];
  from.take('order');
  const isAction = from.take('type') === 'actions';
  if (isAction) return { kind: 'ActionsNode', ...writeNodeFields({ ...actionsNode(own), ...more }, from) };
  const { nodes, ...ofGroup } = writeNodeFields({ ...groupNode(own), ...more }, from);
  if (nodes !== undefined) return { kind: 'GroupNode', operator: 'OR', nodes, ...ofGroup };
  return { kind: 'EventsNode', ...writeNodeFields({ event: becomes('id') }, from), ...ofGroup };
};

/** An entity may be a name or an id alone. */
const entityOf = (sent: unknown, type: 'events' | 'actions'): Fields => {
  const entity = isFields(sent) ? sent : { id: sent };
  return type === 'actions' ? { ...entity, type } : entity;
};

const orderOf = ({ order }: Fields, at: number): number => (typeof order === 'number' ? order : at);

/** The events and actions of a question, in their order. */
const takeEntities = (from: Unwritten): readonly Fields[] => {
  const events = from.takeList('events').map((sent) => entityOf(sent, 'events'));
  const actions = from.takeList('actions').map((sent) => entityOf(sent, 'actions'));
  return [...events, ...actions]
    .map((entity, at) => ({ entity, order: orderOf(entity, at) }))
    .sort((a, b) => a.order - b.order)
    .map(({ entity }) => entity);
};

/** The series of an insight, or the steps of a funnel, in their order. */
export const seriesOf = (math: MathsOf): NodeField =>
  works(
    (value, attr, into) => {
      const list = requireList(value, attr, maxSeries).map((node, at) => {
        const entity = into.inside(`events.${at}`);
        return { ...readEntityNode(node, `${attr}.${at}`, entity, math), order: at };
      });
      into.set('events', list, attr);
    },
    '',
    (from) => writeList(takeEntities(from), (entity) => writeEntityNode(entity, math)),
  );

export const entityOfRetention = (parameter: string): NodeField =>
  works(
    (value, attr, into) => {
      const entity = into.inside(parameter);
      entity.set('id', null, `${attr}.id`);
      objectOf(retentionEntity).read(value, attr, entity);
      into.set(parameter, entity.params, attr);
    },
    '',
    (from) => {
      const sent = from.take(parameter);
      if (sent === undefined) return undefined;
      return writeAll(entityOf(sent, 'events'), (entity) => {
        entity.take('order');
        return writeNodeFields(retentionEntity, entity);
      });
    },
  );

/** A series as an answer shows it. */
export const shownSeries = (entity: Fields | undefined, order: number): object => ({
  id: entity?.id ?? null,
  type: entity?.type ?? 'events',
  order,
  name: entity?.name ?? (typeof entity?.id === 'string' ? entity.id : null),
  custom_name: entity?.custom_name ?? null,
  math: entity?.math ?? 'total',
  math_property: entity?.math_property ?? null,
  math_hogql: entity?.math_hogql ?? null,
  math_group_type_index: entity?.math_group_type_index ?? null,
  properties: entity?.properties ?? [],
});

export const seriesShown = ({ params }: Translation, order: number): object => {
  const events = (params.events ?? []) as readonly Fields[];
  return shownSeries(events[order], order);
};
