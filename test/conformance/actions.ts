import { type Case } from './case.js';
import { listOf, type JsonObject, without, objectsOf } from './json.js';

/** A case that cannot be put to our interface: it fails with this as the reason. */
export class NotExpressible extends Error {}

const urlOperators: Readonly<Record<string, string>> = { exact: 'exact', contains: 'icontains', regex: 'regex' };

/** One step of an action: an event with properties, its page address as one more of them. */
const partOf = (step: JsonObject): JsonObject => {
  const { event = null, properties, url, url_matching: matching = 'contains', ...rest } = step;
  const [odd] = Object.keys(rest);
  if (odd !== undefined) throw new NotExpressible(`an action's step with "${odd}" is not in the contract`);
  const operator = urlOperators[String(matching)];
  if (url !== undefined && url !== null && !operator)
    throw new NotExpressible(`url_matching "${String(matching)}" is not in the contract`);
  const address =
    url === undefined || url === null ? [] : [{ key: '$current_url', type: 'event', operator, value: url }];
  const all = [...listOf(properties), ...address];
  return { id: event, ...(all.length > 0 ? { properties: all } : {}) };
};

const actionOf = ({ actions = [] }: Case, ref: unknown) => {
  const found = actions.find((action) => action.ref === ref);
  if (!found) throw new NotExpressible(`the case has no action ${String(ref)}`);
  return found;
};

/** An entity that names an action becomes one with `any_of`. */
export const entityOf = (given: Case, entity: JsonObject): JsonObject => {
  const isAction = entity.type === 'actions' || given.actions?.some(({ ref }) => ref === entity.id) === true;
  if (!isAction) return entity;
  const { name, ref, steps } = actionOf(given, entity.id);
  return { ...without(entity, 'id', 'type'), name: name ?? ref, any_of: steps.map(partOf) };
};

/** `actions` beside `events`, as one list in the order they say. */
export const entitiesOf = (given: Case, params: JsonObject): readonly JsonObject[] => {
  const all = [...objectsOf(params.events), ...objectsOf(params.actions)].map((entity) => entityOf(given, entity));
  const orderOf = (entity: JsonObject, place: number) => (typeof entity.order === 'number' ? entity.order : place);
  return all
    .map((entity, place) => ({ entity, order: orderOf(entity, place) }))
    .sort((a, b) => a.order - b.order)
    .map(({ entity }) => entity);
};

/** Cohort criteria know events only: an action of one step is that event with filters. */
const onlyPart = (given: Case, ref: unknown): JsonObject => {
  const { steps } = actionOf(given, ref);
  if (steps.length !== 1) throw new NotExpressible('a criterion on an action of several steps is not in the contract');
  return partOf(steps[0] ?? {});
};

export const criterionOf = (given: Case, leaf: JsonObject): JsonObject => {
  if ('action_id' in leaf) {
    const { id, properties } = onlyPart(given, leaf.action_id);
    if (properties) throw new NotExpressible('old groups cannot filter the events of an action');
    return { ...without(leaf, 'action_id'), event_id: id };
  }
  const filters = (own: unknown, part: JsonObject) => [...listOf(own), ...listOf(part.properties)];
  let changed = leaf;
  if (leaf.event_type === 'actions') {
    const part = onlyPart(given, leaf.key);
    changed = { ...changed, key: part.id, event_type: 'events', event_filters: filters(leaf.event_filters, part) };
  }
  if (leaf.seq_event_type === 'actions') {
    const part = onlyPart(given, leaf.seq_event);
    const seq = filters(leaf.seq_event_filters, part);
    changed = { ...changed, seq_event: part.id, seq_event_type: 'events', seq_event_filters: seq };
  }
  return changed;
};
