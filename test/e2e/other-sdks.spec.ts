import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import RudderAnalytics from '@rudderstack/rudder-sdk-node';
import { Analytics } from '@segment/analytics-node';
import mixpanel from 'mixpanel';
import { type EventDto } from '../../src/events/log/event.dto.js';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let project: ProjectDto;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  project = await service.newProject();
});

const listed = async <T>(path: string): Promise<T[]> => {
  const { body } = await service.call('GET', `/api/projects/${project.id}/${path}`, { query: { limit: 1000 } });
  return (body as { results: T[] }).results;
};
const namesOfEvents = async () => (await listed<EventDto>('events')).map(({ event }) => event).sort();
const person = async () => {
  const [first, ...others] = await listed<PersonDto>('persons');
  expect(others).toEqual([]);
  return { ids: [...(first?.distinct_ids ?? [])].sort(), properties: first?.properties };
};

/** One user with an anonymous past, in the words that Segment and RudderStack share. */
const traits = { email: 'ada@example.test', plan: 'free' };
const all = ['$create_alias', '$groupidentify', '$identify', '$pageview', '$screen', 'upgraded', 'visited'];

describe('@segment/analytics-node, unmodified', () => {
  const client = (writeKey: string) => new Analytics({ writeKey, host: service.url, maxRetries: 0, flushAt: 20 });

  it('sends each kind of message, and closes without an error', async () => {
    const sdk = client(project.api_token);
    const errors: unknown[] = [];
    sdk.on('error', (error) => errors.push(error));
    sdk.track({ anonymousId: 'anon', event: 'visited', properties: { page: '/' } });
    sdk.identify({ userId: 'ada', anonymousId: 'anon', traits });
    sdk.page({ userId: 'ada', name: 'Prices', properties: { url: 'https://shop.test/prices' } });
    sdk.screen({ userId: 'ada', name: 'Start' });
    sdk.group({ userId: 'ada', groupId: 'acme', traits: { seats: 5 } });
    sdk.alias({ userId: 'ada', previousId: 'ada-before' });
    sdk.track({ userId: 'ada', event: 'upgraded', timestamp: new Date('2026-01-02T10:00:00Z') });
    await sdk.closeAndFlush();
    expect(errors).toEqual([]);
    expect(await namesOfEvents()).toEqual(all);
    expect(await person()).toMatchObject({ ids: ['ada', 'ada-before', 'anon'], properties: traits });
    const upgraded = (await listed<EventDto>('events')).find(({ event }) => event === 'upgraded');
    const error = Date.parse(upgraded?.timestamp ?? '') - Date.parse('2026-01-02T10:00:00Z');
    expect(Math.abs(error)).toBeLessThan(60_000);
    expect(upgraded?.properties).toMatchObject({ $lib: '@segment/analytics-node' });
  });

  it('learns of a wrong token', async () => {
    const sdk = client('phc_unknown');
    const errors: unknown[] = [];
    sdk.on('error', (error) => errors.push(error));
    sdk.track({ userId: 'ada', event: 'lost' });
    await sdk.closeAndFlush();
    expect(errors).toEqual([expect.objectContaining({ code: 'delivery_failure' })]);
    expect(await namesOfEvents()).toEqual([]);
  });
});

describe('@rudderstack/rudder-sdk-node, unmodified', () => {
  it.each([true, false])('sends each kind of message, gzip %p', async (gzip) => {
    const errors: unknown[] = [];
    const sdk = new RudderAnalytics(project.api_token, {
      dataPlaneUrl: service.url,
      flushAt: 20,
      gzip,
      // Without a handler the SDK ends its process when a request fails.
      errorHandler: (error) => errors.push(error),
    });
    sdk.track({ anonymousId: 'anon', event: 'visited', properties: { page: '/' } });
    sdk.identify({ userId: 'ada', anonymousId: 'anon', traits });
    sdk.page({ userId: 'ada', name: 'Prices', properties: { url: 'https://shop.test/prices' } });
    sdk.screen({ userId: 'ada', name: 'Start' });
    sdk.group({ userId: 'ada', groupId: 'acme', traits: { seats: 5 } });
    sdk.alias({ userId: 'ada', previousId: 'ada-before' });
    sdk.track({ userId: 'ada', event: 'upgraded' });
    await sdk.flush();
    await sdk.flush();
    expect(errors).toEqual([]);
    expect(await namesOfEvents()).toEqual(all);
    expect(await person()).toMatchObject({ ids: ['ada', 'ada-before', 'anon'], properties: traits });
  });
});

describe('mixpanel, unmodified', () => {
  it('tracks, alone and in a batch, and sets properties of a person', async () => {
    const { hostname, port } = new URL(service.url);
    const sdk = mixpanel.init(project.api_token, { host: `${hostname}:${port}`, protocol: 'http', verbose: true });
    await done((callback) => sdk.track('visited', { distinct_id: 'ada', page: '/' }, callback));
    await done((callback) => sdk.people.set('ada', { plan: 'pro' }, callback));
    const batch = ['one', 'two'].map((event) => ({ event, properties: { distinct_id: 'ada' } }));
    await new Promise<void>((resolve, reject) =>
      sdk.track_batch(batch, {}, (errors) => (errors ? reject(errors[0]) : resolve())),
    );
    expect(await namesOfEvents()).toEqual(['$identify', 'one', 'two', 'visited']);
    expect(await person()).toMatchObject({ ids: ['ada'], properties: { plan: 'pro' } });
  });
});

const done = (send: (callback: (error: Error | undefined) => void) => void): Promise<void> =>
  new Promise((resolve, reject) => send((error) => (error ? reject(error) : resolve())));
