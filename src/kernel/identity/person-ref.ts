import { Problem, invalidInput } from '../../platform/errors/problem.js';
import { nearestName } from '../../platform/errors/nearest-name.js';
import { isBigId, isUuid, nameUuid } from '../../platform/values/ids.js';

/** The reference to a person in a request. Ids stay text: the database compares them. */
export type PersonRef = ({ readonly id: string } | { readonly uuid: string }) & {
  /** The field of the request that has the reference; `id` when it is left out. */
  readonly attr?: string;
};

const insights = ['trends', 'funnel', 'retention', 'path', 'lifecycle', 'stickiness'];

/** The route that a caller probably meant with a word where an id is expected. */
const routeMeant = (text: string): string | null => {
  if (text === 'export') return 'export/persons';
  return nearestRoute(text, [...insights, 'cohorts', 'activity']);
};

/** The route of an insight that a caller probably meant with a word. */
export const insightRoute = (text: string): string | null => nearestRoute(text, insights);

const nearestRoute = (text: string, routes: readonly string[]): string | null => {
  const route = nearestName(text, routes);
  return route && `persons/${route}`;
};

export const personRef = (text: string, attr = 'id'): PersonRef => {
  if (isBigId(text)) return { id: text, attr };
  if (isUuid(text)) return { uuid: text.toLowerCase(), attr };
  const route = attr === 'id' ? routeMeant(text) : null;
  if (route !== null) throw invalidInput(`${attr} ${text} is not that of a person: did you mean ${route}?`, attr);
  throw invalidInput(
    `${attr} must be the integer id or the uuid of a person; to find one by distinct id use persons?distinct_id=…`,
    attr,
  );
};

const named = (ref: PersonRef): string => ('id' in ref ? ref.id : ref.uuid);

/** The error names the field of the request only for one of several ids: the field is then a path with a dot. */
export const noPerson = (ref: PersonRef): Problem => {
  const attr = ref.attr?.includes('.') ? ref.attr : null;
  return new Problem(404, 'invalid_request', 'not_found', `there is no person ${named(ref)}`, attr);
};

/** The person into which another one was merged. */
export interface MergedInto {
  readonly id: number;
  readonly uuid: string;
}

export const mergedPerson = (ref: PersonRef, into: MergedInto): Problem =>
  new Problem(
    404,
    'invalid_request',
    'merged',
    `person ${named(ref)} was merged into person ${into.id}: use that person's id`,
    ref.attr ?? 'id',
    {},
    { merged_into: into },
  );

/** Never change this constant: the uuids of all persons derive from it. */
const namespace = Buffer.from('5d0c1f3e8a7b4c629e45b1d27f0a9c86', 'hex');

/** A version 5 uuid of project and distinct id: an id that returns after its person was deleted gets the same person uuid. */
export const personUuid = (projectId: number, distinctId: string): string =>
  nameUuid(namespace, `${projectId}:${distinctId}`);
