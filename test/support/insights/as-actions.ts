import { type CallOptions, type ServiceHandle } from '../service-handle.js';

type Fields = Readonly<Record<string, unknown>>;

interface Step {
  readonly event?: string;
  readonly properties?: readonly unknown[];
}

interface Entity extends Fields {
  readonly id?: string | null;
  readonly any_of?: readonly { readonly id: string | null }[];
  readonly properties?: readonly unknown[];
}

type Question = Record<string, unknown>;

/**
 * The service, with some entities of a question sent as actions that mean the same; the pick decides which. The answers
 * must be those to the question as it was written.
 */
export const sendingActions = (service: ServiceHandle, projectId: number, pick: number): ServiceHandle => {
  if (pick % 3 !== 0) return service;
  const actions = new Map<string, Promise<number>>();
  const actionWith = (steps: readonly Step[]): Promise<number> => {
    const key = JSON.stringify(steps);
    const action = actions.get(key) ?? createAction(service, projectId, `action ${actions.size}`, steps);
    actions.set(key, action);
    return action;
  };
  const asAction = async ({ id = null, any_of, name: _, properties = [], ...others }: Entity, isOfFirsts: boolean) => {
    // What is the first event of all is decided before the filters of an entity, but after those of an action.
    const own = isOfFirsts || String(others.math).startsWith('first_') || pick % 5 === 0 ? [] : properties;
    const steps = (any_of ?? [{ id }]).map(({ id: event }) => ({
      ...(event === null ? {} : { event }),
      ...(own.length === 0 ? {} : { properties: own }),
    }));
    return { ...others, id: await actionWith(steps), ...(own === properties ? {} : { properties }) };
  };
  const withActions = async (question: Fields): Promise<Question> => {
    const changed = { ...question };
    const isText = typeof (question.events ?? question.target_entity) === 'string';
    const read = (name: string) =>
      (isText ? JSON.parse((question[name] as string | undefined) ?? 'null') : question[name]) as unknown;
    const write = (name: string, value: unknown) => (changed[name] = isText ? JSON.stringify(value) : value);
    const isOfFirsts = question.retention_type === 'retention_first_ever_occurrence';
    const isChosen = (place: number) => (pick + place) % 2 === 0;

    const series = ((read('events') ?? []) as Entity[]).map((entity, order): Entity => ({ ...entity, order }));
    const chosen = series.filter((_, place) => isChosen(place));
    if (chosen.length > 0) {
      write(
        'events',
        series.filter((entity) => !chosen.includes(entity)),
      );
      write('actions', await Promise.all(chosen.map((entity) => asAction(entity, isOfFirsts))));
    }
    const typed = async (entity: Entity, place: number): Promise<Fields> =>
      isChosen(place) ? { ...(await asAction(entity, isOfFirsts)), type: 'actions' } : entity;
    if (question.exclusions) write('exclusions', await Promise.all((read('exclusions') as Entity[]).map(typed)));
    for (const [place, name] of ['target_entity', 'returning_entity'].entries())
      if (question[name]) write(name, await typed(read(name) as Entity, place));
    return changed;
  };
  return {
    ...service,
    call: async (method, path, options = {}) => {
      const { query, body } = options;
      if (isQuestion(query))
        return service.call(method, path, {
          ...options,
          query: (await withActions(query)) as CallOptions['query'] & {},
        });
      if (isQuestion(body)) return service.call(method, path, { ...options, body: await withActions(body) });
      return service.call(method, path, options);
    },
  };
};

const isQuestion = (fields: unknown): fields is Fields =>
  typeof fields === 'object' && fields !== null && 'include' in fields;

const createAction = async (
  service: ServiceHandle,
  projectId: number,
  name: string,
  steps: readonly Step[],
): Promise<number> => {
  const answer = await service.call('POST', `/api/projects/${projectId}/actions`, { body: { name, steps } });
  if (answer.status !== 201) throw new Error(`an action was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return (answer.body as { id: number }).id;
};
