import { type Answer, type ServiceHandle } from '../service-handle.js';
import { personName } from './model.js';
import { walk } from './walk.js';

export interface Asking {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Repeats what was unavailable for a moment: a store that is late on a busy machine is no wrong answer. */
export const patient = (service: ServiceHandle): ServiceHandle => ({
  ...service,
  call: async (method, path, options) => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await service.call(method, path, options);
      if (answer.status !== 503 || method !== 'GET' || attempt === 5) return answer;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  },
});

/** Throws unless a range that ends before it begins was refused. No points with persons. */
export const requireRefusedRange = ({ status, body }: Answer): number => {
  const { attr } = body as { attr?: string };
  if (status === 400 && attr === 'date_from') return 0;
  throw new Error(`a range that ends before it begins was answered ${status}: ${JSON.stringify(body)}`);
};

/** The insight itself, held to the OpenAPI document. */
export const insightOf = async <T>(
  service: ServiceHandle,
  { path, headers }: Asking,
  parameters: Readonly<Record<string, string>>,
): Promise<T> => {
  const answer = await service.call('GET', path, { query: { ...parameters, include: 'insight' }, headers });
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return (answer.body as { insight: T }).insight;
};

interface List {
  readonly count: number;
  readonly next: string | null;
  readonly results: readonly { readonly distinct_ids: readonly string[] }[];
}

/** Throws unless the persons of a point are the named ones, and as many as it says they are. */
export const comparePoint = async (
  service: ServiceHandle,
  { path, headers }: Asking,
  parameters: Readonly<Record<string, string>>,
  { number, names }: { readonly number: number; readonly names: readonly string[] },
): Promise<void> => {
  const query = { ...parameters, include: 'persons', limit: '1000' };
  const answer = await service.call('GET', path, { query, headers });
  const list = answer.body as List;
  const got = answer.status === 200 ? list.results.map(personName).sort() : [];
  const isRight = got.join() === names.join() && list.count === number && got.length === number && list.next === null;
  if (!isRight)
    throw new Error(
      `${answer.status}, ${number} persons, counted ${list.count}: ${got.join()} in place of ${names.join()} (${JSON.stringify(parameters)})`,
    );
};

/** The same page by page. */
export const walkPoint = async (
  service: ServiceHandle,
  { path, headers }: Asking,
  parameters: Readonly<Record<string, string>>,
  { number, names }: { readonly number: number; readonly names: readonly string[] },
): Promise<void> => {
  const query = { ...parameters, include: 'persons', limit: '3' };
  const people = await walk<List['results'][number]>(service, path, query, headers);
  const got = people.map(personName).sort();
  if (got.join() !== names.join() || got.length !== number)
    throw new Error(
      `a walk of ${number} lists ${got.join()} in place of ${names.join()} (${JSON.stringify(parameters)})`,
    );
};
