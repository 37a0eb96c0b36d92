import { type CallOptions, type ServiceHandle } from '../service-handle.js';
import { type Model, actorOf, modelOf } from './model.js';
import { type Stream } from './stream.js';

/** The stream, in which the events of each person name one group: its key is the name of the person. */
export const withGroups = (stream: Stream): Stream => {
  const { events }: Model = modelOf(stream);
  const keys = new Map(events.map((event) => [event.uuid, actorOf(event)]));
  const named = <Event extends { readonly uuid: string; readonly properties?: object }>(event: Event): Event => ({
    ...event,
    properties: { ...event.properties, $groups: { account: keys.get(event.uuid) } },
  });
  const { before, merges, after } = stream;
  return { ...stream, before: before.map(named), merges: merges.map(named), after: after.map(named) };
};

const isQuestion = /\/persons\/(?:funnel|path|retention|trends)(?:\?|$)/;

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
