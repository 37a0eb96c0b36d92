import { randomUUID } from 'node:crypto';
import { definitionId } from '../../src/catalogue/names/named-definitions.js';
import { PersonsOf } from './persons.js';
import { type ServiceHandle } from './service-handle.js';
import { batchExport } from './valid-bodies.js';
import { makeUser } from './signed-in.js';

/** Records of one project, or ids that belong to no record at all. */
export interface Tenant {
  readonly personId: number | string;
  readonly personUuid: string;
  readonly distinctId: string;
  readonly email: string;
  readonly eventName: string;
  readonly eventUuid: string;
  readonly groupId: number;
  readonly groupKey: string;
  readonly cohortId: number;
  readonly actionId: number;
  readonly insightId: number;
  readonly dashboardId: number;
  readonly linkId: string;
  readonly scheduleId: string;
  readonly annotationId: number;
  readonly flagId: number;
  readonly alertId: number;
  readonly eventDefinitionId: string;
  readonly propertyDefinitionId: string;
  readonly mergeId: number;
  readonly webhookId: number;
  readonly batchExportId: number;
  readonly deliveryId: string;
  readonly deletionId: string;
  readonly importId: string;
  readonly invitationId: string;
  readonly userId: number;
  readonly keyId: string;
  readonly projectId: number;
  /** Of a page of persons, and of a page of events. */
  readonly cursors: readonly string[];
}

/** What stands for the parameter of a path, by the segment before it. */
const records: Readonly<Record<string, (tenant: Tenant) => number | string>> = {
  'projects/{project_id}': ({ projectId }) => projectId,
  'persons/{id}': ({ personId }) => personId,
  'merges/{merge_id}': ({ mergeId }) => mergeId,
  'events/{uuid}': ({ eventUuid }) => eventUuid,
  'deletion_requests/{id}': ({ deletionId }) => deletionId,
  'import/{id}': ({ importId }) => importId,
  'groups/{id}': ({ groupId }) => groupId,
  'cohorts/{id}': ({ cohortId }) => cohortId,
  'actions/{id}': ({ actionId }) => actionId,
  'query/{query}': () => 'TrendsQuery',
  'insights/{id}': ({ insightId }) => insightId,
  'dashboards/{id}': ({ dashboardId }) => dashboardId,
  'links/{link_id}': ({ linkId }) => linkId,
  'schedules/{schedule_id}': ({ scheduleId }) => scheduleId,
  'annotations/{id}': ({ annotationId }) => annotationId,
  'feature_flags/{id}': ({ flagId }) => flagId,
  'feature_flags/{key}': ({ flagId }) => flagId,
  'alerts/{id}': ({ alertId }) => alertId,
  'event_definitions/{id}': ({ eventDefinitionId }) => eventDefinitionId,
  'property_definitions/{id}': ({ propertyDefinitionId }) => propertyDefinitionId,
  'webhooks/{id}': ({ webhookId }) => webhookId,
  'batch_exports/{id}': ({ batchExportId }) => batchExportId,
  'deliveries/{delivery_id}': ({ deliveryId }) => deliveryId,
  'members/{user_id}': ({ userId }) => userId,
  'users/{id}': ({ userId }) => userId,
  'invitations/{id}': ({ invitationId }) => invitationId,
  'personal_api_keys/{id}': ({ keyId }) => keyId,
};

/** The path of an operation, with a record of the tenant for each of its parameters. A new kind of record is made above. */
export const pathTo = (template: string, tenant: Tenant): string =>
  template.replace(/(\w+)\/\{\w+\}/g, (place, list: string) => {
    const record = records[place];
    if (!record) throw new Error(`Make a record for ${place} in test/support/tenant.ts`);
    return `${list}/${record(tenant)}`;
  });

/** A project with one record of each kind, all of whose texts contain the marker. */
export const makeTenant = async (service: ServiceHandle, marker: string): Promise<Tenant> => {
  const project = await service.newProject(marker);
  const people = new PersonsOf(service, project.id);
  const email = `${marker}@example.test`;
  const [distinctId, eventName, groupKey] = [`${marker}-id`, `${marker} event`, `${marker}-group`];
  const person = await people.make([distinctId, `${marker}-id-2`], { email, secret: marker, [`${marker}-key`]: 1 });
  const named = { group_type: 'company', group_key: groupKey, group_properties: { secret: marker } };
  const { id: groupId } = (await people.call('POST', 'groups', { body: named })).body as { id: number };
  const line = { type: 'event', event: eventName, distinct_id: distinctId, timestamp: '2024-01-03T00:00:00Z' };
  const headers = { 'content-type': 'application/x-ndjson' };
  await people.call('POST', 'import', {
    body: JSON.stringify({ ...line, properties: { secret: marker, $groups: { company: groupKey } } }),
    headers,
  });
  const [event] = await people.events({ event: eventName });
  const cohort = { name: marker, is_static: true, person_ids: [person.id] };
  const { id: cohortId } = (await people.call('POST', 'cohorts', { body: cohort })).body as { id: number };
  const saved = { name: marker, steps: [{ event: eventName, url: marker }] };
  const { id: actionId } = (await people.call('POST', 'actions', { body: saved })).body as { id: number };
  const question = { type: 'trends', params: { events: [{ id: eventName }] } };
  const requested = await people.call('POST', 'insights', { body: { name: marker, question } });
  const { id: insightId } = requested.body as { id: number };
  const board = { name: marker, tiles: [{ insight_id: insightId }] };
  const { id: dashboardId } = (await people.call('POST', 'dashboards', { body: board })).body as { id: number };
  const { id: linkId } = (await people.call('POST', `dashboards/${dashboardId}/links`, { body: {} })).body as {
    id: string;
  };
  const weekly = { webhooks: true, weekday: 'monday', hour: 9 };
  const { id: scheduleId } = (await people.call('POST', `dashboards/${dashboardId}/schedules`, { body: weekly }))
    .body as {
    id: string;
  };
  const note = { content: marker, date_marker: '2024-01-03' };
  const { id: annotationId } = (await people.call('POST', 'annotations', { body: note })).body as { id: number };
  const flag = { key: `${marker}-flag`, name: marker, filters: { payloads: { true: JSON.stringify(marker) } } };
  const { id: flagId } = (await people.call('POST', 'feature_flags', { body: flag })).body as { id: number };
  const threshold = { configuration: { type: 'absolute', bounds: { upper: 1 } } };
  const watch = { name: marker, insight: insightId, threshold, enabled: false };
  const { id: alertId } = (await people.call('POST', 'alerts', { body: watch })).body as { id: number };
  const hook = { url: `https://${marker}.invalid/`, cohorts: [cohortId], paused: true };
  const { id: webhookId } = (await people.call('POST', 'webhooks', { body: hook })).body as { id: number };
  const files = { ...batchExport, name: marker, model: 'cohort', cohort_id: cohortId };
  const { id: batchExportId } = (await people.call('POST', 'batch_exports', { body: files })).body as { id: number };
  const { id: userId } = await makeUser(service, { roles: { [project.id]: 'viewer' } });
  const invitation = { email: `invited-${email}`, role: 'viewer' };
  const { id: invitationId } = (await people.call('POST', 'invitations', { body: invitation })).body as { id: string };
  const queued = await people.call('POST', 'import', { body: '', headers, query: { wait: 0 } });
  const gone = await people.make([`${marker}-gone`]);
  const deleted = await people.call('DELETE', `persons/${gone.id}?delete_events=true`);
  await people.make([`${marker}-other`], { email: `other-${email}` });
  await people.make([`${marker}-merged`]);
  await people.call('POST', `persons/${person.id}/merge`, { body: { distinct_ids: [`${marker}-merged`] } });
  const merges = (await people.call('GET', `persons/${person.id}/merges`)).body as { results: { id: number }[] };
  const nextOf = async (list: string): Promise<string> => {
    const { next } = (await people.call('GET', list, { query: { limit: 1 } })).body as { next: string };
    return new URL(next).searchParams.get('cursor') ?? '';
  };
  const key = await service.newKey({ email: `owner-of-${email}` });
  return {
    personId: person.id,
    personUuid: person.uuid,
    distinctId,
    email,
    eventName,
    eventUuid: event?.uuid ?? '',
    groupId,
    groupKey,
    cohortId,
    actionId,
    insightId,
    dashboardId,
    linkId,
    scheduleId,
    annotationId,
    flagId,
    alertId,
    eventDefinitionId: definitionId('event', eventName),
    propertyDefinitionId: definitionId('person_property', `${marker}-key`),
    mergeId: merges.results[0]?.id ?? 0,
    webhookId,
    batchExportId,
    deliveryId: randomUUID(),
    importId: (queued.body as { id: string }).id,
    invitationId,
    userId,
    deletionId: String(deleted.headers.location).split('/').at(-1) ?? '',
    keyId: key.id,
    projectId: project.id,
    cursors: [await nextOf('persons'), await nextOf('events')],
  };
};

/** Ids of the same forms that no record has. */
export const absentTenant = (): Tenant => ({
  personId: 987_654_321,
  personUuid: randomUUID(),
  distinctId: 'absent-id',
  email: 'absent@example.test',
  eventName: 'absent event',
  eventUuid: randomUUID(),
  groupId: 987_654_321,
  groupKey: 'absent-group',
  cohortId: 987_654_321,
  actionId: 987_654_321,
  insightId: 987_654_321,
  dashboardId: 987_654_321,
  linkId: randomUUID(),
  scheduleId: randomUUID(),
  annotationId: 987_654_321,
  flagId: 987_654_321,
  alertId: 987_654_321,
  eventDefinitionId: randomUUID(),
  propertyDefinitionId: randomUUID(),
  mergeId: 987_654_321,
  webhookId: 987_654_321,
  batchExportId: 987_654_321,
  deliveryId: randomUUID(),
  importId: randomUUID(),
  invitationId: randomUUID(),
  userId: 987_654_321,
  deletionId: randomUUID(),
  keyId: randomUUID(),
  projectId: 987_654_321,
  cursors: [],
});
