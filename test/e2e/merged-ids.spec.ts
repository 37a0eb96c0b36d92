import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { type OpenAPIObject } from '@nestjs/swagger';
import { places } from '../security/tenants/places.js';
import { PersonsOf } from '../support/persons.js';
import { type Answer, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { absentTenant, type Tenant } from '../support/tenant.js';
import { validBodies } from '../support/valid-bodies.js';

type Method = Parameters<ServiceHandle['call']>[0];

interface Operation {
  readonly method: Method;
  /** Below the project. */
  readonly route: string;
  /** Such as `query person_id` or `body ids`. */
  readonly places: readonly string[];
}

let service: ServiceHandle;
let people: PersonsOf;
let operations: readonly Operation[];
let survivor: PersonDto;
let merged: PersonDto;
let cohortId: number;
let groupId: number;

beforeAll(async () => {
  service = await sharedService();
  people = new PersonsOf(service, (await service.newProject()).id);
  operations = operationsOf((await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject);
  survivor = await people.make(['ada'], { plan: 'pro' });
  merged = await people.make(['bob'], { plan: 'free' });
  const { body } = await people.call('POST', 'cohorts', {
    body: { name: 'some', is_static: true, person_ids: [merged.id] },
  });
  cohortId = (body as { id: number }).id;
  const group = await people.call('POST', 'groups', { body: { group_type: 'company', group_key: 'acme' } });
  groupId = (group.body as { id: number }).id;
  await people.call('POST', `persons/${survivor.id}/merge`, { body: { persons: [merged.id] } });
});
afterAll(() => service.stop());

type Schema = { readonly $ref?: string; readonly properties?: object; readonly allOf?: readonly Schema[] } | undefined;

const operationsOf = (document: OpenAPIObject): Operation[] => {
  const fieldsOf = (schema: Schema): string[] => {
    const known = schema?.$ref
      ? (document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? ''] as Schema)
      : schema;
    return [...Object.keys(known?.properties ?? {}), ...(known?.allOf ?? []).flatMap(fieldsOf)];
  };
  const prefix = '/api/projects/{project_id}/';
  return Object.entries(document.paths).flatMap(([path, item]) =>
    !path.startsWith(prefix)
      ? []
      : Object.entries(item as Record<string, NonNullable<(typeof item)['get']>>).map(([method, operation]) => {
          const parameters = (operation.parameters ?? []) as { in: string; name: string }[];
          const bodies = Object.values((operation.requestBody as { content?: object } | undefined)?.content ?? {});
          const fields = new Set(bodies.flatMap(({ schema }: { schema?: Schema }) => fieldsOf(schema)));
          return {
            method: method.toUpperCase() as Method,
            route: path.slice(prefix.length),
            places: [
              ...parameters.map((place) => `${place.in} ${place.name}`),
              ...[...fields].map((name) => `body ${name}`),
            ],
          };
        }),
  );
};

interface Named {
  readonly where: string;
  readonly attr: string;
  readonly ask: () => Promise<Answer>;
}

/** Each place of each route where the id or the uuid of a person can stand. */
const everyPlace = (): Named[] => {
  const tenant: Tenant = { ...absentTenant(), personId: merged.id, personUuid: merged.uuid, cohortId };
  return operations.flatMap(({ method, route, places: known }) => {
    const name = `${method} ${route}`;
    const hasBody = method === 'POST' || method === 'PATCH';
    const valid = hasBody ? { body: validBodies[name] ?? {} } : {};
    const filled = (id: number | string) =>
      route
        .replace('cohorts/{id}', `cohorts/${cohortId}`)
        .replace('groups/{id}', `groups/${groupId}`)
        .replace('persons/{id}', `persons/${id}`);
    const inPath = route.startsWith('persons/{id}')
      ? [merged.id, merged.uuid].map((id) => ({
          where: `${method} ${filled(id)}`,
          attr: 'id',
          ask: () => people.call(method, filled(id), valid),
        }))
      : [];
    const others = known.flatMap((place) => {
      const [at = '', field = ''] = place.split(' ');
      const withoutPerson = (places[place]?.({ ...absentTenant(), cohortId }) ?? []).map(({ value }) => String(value));
      return (places[place]?.(tenant) ?? []).flatMap(({ value, beside }): Named[] => {
        const first: unknown = Array.isArray(value) ? value[0] : value;
        // The cohort may have the same number as the person.
        if ((first !== merged.id && first !== merged.uuid) || withoutPerson.includes(String(value))) return [];
        if (name === namesEvents) return [];
        const besides = name === checksMembership ? { cohorts: [cohortId] } : beside;
        const body = { ...validBodies[name], ...besides, [field]: value };
        const options = at === 'query' ? { ...valid, query: { [field]: String(value) } } : { body };
        const attr = Array.isArray(value) ? `${field}.0` : field;
        return [
          {
            where: `${name}, ${place} ${JSON.stringify(value)}`,
            attr,
            ask: () => people.call(method, filled(survivor.id), options),
          },
        ];
      });
    });
    return [...inPath, ...others];
  });
};

/** Its uuids are those of events. */
const namesEvents = 'POST deletion_requests';

/** Answers about the person into which a merged one was merged: a service that asks on each request must not fail. */
const checksMembership = 'POST cohorts/membership';

/** Deletes as many as it can and lists what became of each. */
const listsResults = (where: string): boolean => where.startsWith('POST persons/bulk_delete');

describe('the id and the uuid of a merged person', () => {
  it('get 404 `merged` with the other person wherever an id is taken', async () => {
    const into = { id: survivor.id, uuid: survivor.uuid };
    const all = everyPlace();
    for (const { where, attr, ask } of all) {
      const { status, body } = await ask();
      if (listsResults(where)) {
        expect([where, status, body]).toMatchObject([
          where,
          200,
          { results: [{ result: 'merged', merged_into: into }] },
        ]);
      } else if (where.startsWith(checksMembership)) {
        expect([where, status, body]).toMatchObject([where, 200, { results: [{ person_id: survivor.id }] }]);
      } else {
        expect([where, status, body]).toEqual([
          where,
          404,
          expect.objectContaining({ type: 'invalid_request', code: 'merged', attr, merged_into: into }),
        ]);
      }
    }
    const routes = new Set(all.map(({ where }) => where.split(',')[0]?.replace(/persons\/[^/ ]+/, 'persons/{id}')));
    expect([...routes].sort()).toEqual(
      expect.arrayContaining([
        'DELETE persons/{id}',
        'GET cohorts/{id}/explain',
        'GET events',
        'GET persons',
        'GET persons/{id}',
        'GET persons/{id}/activity',
        'GET persons/{id}/distinct_ids',
        'GET persons/{id}/properties_timeline',
        'PATCH cohorts/{id}/add_persons_to_static_cohort',
        'PATCH cohorts/{id}/remove_person_from_static_cohort',
        'PATCH persons/{id}',
        'POST cohorts',
        'POST persons/{id}/delete_property',
        'POST persons/{id}/merge',
        'POST persons/{id}/split',
        'POST persons/{id}/update_property',
      ]),
    );
    expect((await people.get(survivor.id)).distinct_ids).toEqual(['ada', 'bob']);
  });

  it('get it as CSV too, before a byte of the file', async () => {
    for (const path of [`persons/${merged.id}`, `persons/${merged.id}/distinct_ids`, `persons?uuid=${merged.uuid}`]) {
      const answer = await people.call('GET', path, { query: { format: 'csv' } });
      expect([path, answer.status, answer.headers['content-type']]).toEqual([
        path,
        404,
        expect.stringContaining('application/problem+json'),
      ]);
    }
  });

  it('are not found in another project', async () => {
    const other = new PersonsOf(service, (await service.newProject()).id);
    for (const id of [merged.id, merged.uuid]) {
      const { status, body } = await other.call('GET', `persons/${id}`);
      expect([status, body]).toEqual([404, expect.not.objectContaining({ merged_into: expect.anything() })]);
    }
  });
});
