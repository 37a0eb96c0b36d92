import { type CallOptions, type ServiceHandle } from '../service-handle.js';
import { type History, World } from './history.js';
import { type Model, actorOf, modelOf } from './model.js';
import { type Stream } from './stream.js';

/** Makes each event name one group, whose key is the name of the person. */
const naming = ({ events }: Model) => {
  const keys = new Map(events.map((event) => [event.uuid, actorOf(event)]));
  return <Event extends { readonly uuid: string; readonly properties?: object }>(event: Event): Event => ({
    ...event,
    properties: { ...event.properties, $groups: { account: keys.get(event.uuid) } },
  });
};

/** Before all ranges of streams: the events that describe groups are events, too, which "any event" counts. */
const longAgo = new Date('2000-01-01T00:00:00Z');

/** The events that describe the groups as the persons are: with their properties, since their time of creation or since `at`. */
const describing = ({ events }: Model, at?: Date): GroupEvent[] =>
  [...new Set(events.map(actorOf))].map((key) => {
    const theirs = events.filter((event) => actorOf(event) === key);
    const person = theirs[0]?.person;
    const first = new Date(Math.min(...theirs.map(({ timestamp }) => timestamp.getTime())));
    return {
      type: 'event',
      event: '$groupidentify',
      distinct_id: `$account_${key}`,
      timestamp: at ?? person?.createdAt ?? first,
      properties: { $group_type: 'account', $group_key: key, $group_set: person?.properties ?? {} },
    };
  });

/** A group that no event names, so that a stream without events has the type of groups. */
const unnamed = (timestamp: Date): GroupEvent => ({
  ...{ type: 'event', event: '$groupidentify', distinct_id: '$account_unnamed', timestamp },
  properties: { $group_type: 'account', $group_key: 'unnamed', $group_set: {} },
});

/** A line of an import. */
export interface GroupEvent {
  readonly type: 'event';
  readonly event: '$groupidentify';
  readonly distinct_id: string;
  readonly timestamp: Date;
  readonly properties: object;
}

/** The stream, in which the events of each person name one group. */
export const withGroups = (stream: Stream): Stream => {
  const model = modelOf(stream);
  const { before, merges, after } = stream;
  const named = naming(model);
  return {
    ...stream,
    groups: [unnamed(longAgo), ...describing(model, longAgo)],
    before: before.map(named),
    merges: merges.map(named),
    after: after.map(named),
  };
};

/** The history, in which the events of each person name one group; its persons stay as they are, and only events come later. */
export const historyWithGroups = (history: History): History => {
  const turns = history.turns.filter((turn) => turn.kind === 'events');
  const world = new World(history);
  for (const turn of turns) world.take(turn);
  const model = world.model();
  const named = naming(model);
  return {
    ...history,
    groups: [unnamed(history.now), ...describing(model)],
    events: history.events.map(named),
    turns: turns.map((turn) => ({ ...turn, events: turn.events.map(named) })),
  };
};

const isQuestion = /\/persons\/(?:funnel(?:\/correlation)?|lifecycle|path|retention|stickiness|trends)(?:\?|$)/;

interface Listed {
  readonly group_key?: string;
}

/**
 * The service, which counts groups in place of persons, and answers as if they were persons: the answers must be those about
 * the persons.
 */
export const countingGroups = (service: ServiceHandle): ServiceHandle =>
  Object.create(service, {
    call: {
      value: async (method: 'GET' | 'POST', path: string, { query, body, ...options }: CallOptions = {}) => {
        if (!isQuestion.test(path)) return service.call(method, path, { query, body, ...options });
        // A link to another page has it already.
        const asGroups: Readonly<Record<string, string>> = path.includes('?')
          ? {}
          : { aggregation_group_type_index: '0' };
        const answer = await service.call(method, path, {
          ...options,
          ...(method === 'GET'
            ? { query: { ...query, ...asGroups } }
            : { query, body: { ...(body as object), ...asGroups } }),
        });
        for (const listed of (answer.body as { results?: (Listed & { distinct_ids: string[] })[] }).results ?? [])
          listed.distinct_ids = listed.group_key === undefined ? [] : [listed.group_key];
        return answer;
      },
    },
  }) as ServiceHandle;
