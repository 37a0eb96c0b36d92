import { describe, expect, it } from '@jest/globals';
import { type NormaliseContext } from '../../kernel/event-log/normalise/normalise.js';
import { type MessageType, normaliseMessage } from './message.js';

const now = new Date('2026-03-01T12:00:00.000Z');
const context: NormaliseContext = { now, sentAt: null, index: 2, engage: false };

const accepted = (type: MessageType | null, message: object, overrides: Partial<NormaliseContext> = {}) => {
  const outcome = normaliseMessage(type)(message, { ...context, ...overrides });
  if (!outcome.ok) throw new Error(outcome.rejection.detail);
  return outcome.event;
};

const refusal = (type: MessageType | null, message: unknown) => {
  const outcome = normaliseMessage(type)(message, context);
  return outcome.ok ? null : outcome.rejection;
};

describe('a message becomes the event that the reference product has for it', () => {
  it.each<[MessageType, object, object]>([
    [
      'track',
      { userId: 'ada', event: 'signed up', properties: { plan: 'pro' } },
      { event: 'signed up', distinctId: 'ada', properties: { plan: 'pro' }, merge: null, identifies: false },
    ],
    [
      'track',
      { anonymousId: 'anon-1', event: 'browsed' },
      { event: 'browsed', distinctId: 'anon-1', properties: {}, merge: null },
    ],
    [
      'track',
      { userId: 'ada', anonymousId: 'anon-1', event: 'browsed' },
      { distinctId: 'ada', properties: { $anon_distinct_id: 'anon-1' }, merge: null },
    ],
    ['track', { userId: 7, event: 'browsed' }, { distinctId: '7' }],
    [
      'identify',
      { userId: 'ada', anonymousId: 'anon-1', traits: { email: 'ada@example.test' } },
      {
        event: '$identify',
        distinctId: 'ada',
        merge: { kind: 'identify', otherDistinctId: 'anon-1' },
        identifies: true,
        person: { set: { email: 'ada@example.test' } },
      },
    ],
    [
      'identify',
      { userId: 'ada', context: { traits: { plan: 'free', seats: 1 } }, traits: { plan: 'pro' } },
      { person: { set: { plan: 'pro', seats: 1 } }, merge: null, identifies: true },
    ],
    [
      'identify',
      { anonymousId: 'anon-1', traits: { plan: 'free' } },
      { event: '$set', distinctId: 'anon-1', identifies: false, person: { set: { plan: 'free' } } },
    ],
    [
      'page',
      { userId: 'ada', name: 'Prices', category: 'Shop', properties: { url: 'https://shop.test/prices?a=1' } },
      {
        event: '$pageview',
        properties: {
          name: 'Prices',
          category: 'Shop',
          url: 'https://shop.test/prices?a=1',
          $current_url: 'https://shop.test/prices?a=1',
          $host: 'shop.test',
        },
      },
    ],
    [
      'screen',
      { userId: 'ada', name: 'Start' },
      { event: '$screen', properties: { name: 'Start', $screen_name: 'Start' } },
    ],
    [
      'group',
      { userId: 'ada', groupId: 'acme', traits: { seats: 5 } },
      {
        event: '$groupidentify',
        distinctId: 'ada',
        properties: { $group_type: 'segment_group', $group_key: 'acme', $group_set: { seats: 5 } },
        person: { process: false },
      },
    ],
    [
      'alias',
      { userId: 'ada', previousId: 'anon-1' },
      { event: '$create_alias', distinctId: 'ada', merge: { kind: 'alias', otherDistinctId: 'anon-1' } },
    ],
    [
      'alias',
      { userId: 'ada', anonymousId: 'anon-1' },
      { event: '$create_alias', distinctId: 'ada', merge: { kind: 'alias', otherDistinctId: 'anon-1' } },
    ],
  ])('%s %j', (type, message, event) => {
    expect(accepted(type, message)).toMatchObject(event);
  });

  it('with the same properties for its context', () => {
    const { properties } = accepted('track', {
      userId: 'ada',
      event: 'bought',
      context: {
        ip: '192.0.2.1',
        userAgent: 'Mozilla/5.0',
        locale: 'de-DE',
        timezone: 'Europe/Berlin',
        groupId: 'acme',
        app: { name: 'Shop', version: '1.2', build: '7', namespace: 'test.shop' },
        campaign: { name: 'spring', source: 'news', medium: 'mail', term: 'shoes', content: 'a' },
        device: { id: 'd-1', manufacturer: 'Acme', model: 'A1', name: 'phone', type: 'ios', token: 'unmapped' },
        library: { name: 'analytics.js', version: '4.2' },
        network: { wifi: true, carrier: 'Example' },
        os: { name: 'iOS', version: '18' },
        page: {
          url: 'https://shop.test/a',
          path: '/a',
          referrer: 'https://search.test/?q=1',
          title: 'A',
          search: null,
        },
        screen: { width: 390, height: 844 },
        experiment: { arm: 'b' },
        active: true,
      },
      properties: { price: 3, $lib: 'its own' },
    });
    expect(properties).toEqual({
      $ip: '192.0.2.1',
      $raw_user_agent: 'Mozilla/5.0',
      $locale: 'de-DE',
      $timezone: 'Europe/Berlin',
      $groups: { segment_group: 'acme' },
      $app_name: 'Shop',
      $app_version: '1.2',
      $app_build: '7',
      $app_namespace: 'test.shop',
      utm_campaign: 'spring',
      utm_source: 'news',
      utm_medium: 'mail',
      utm_term: 'shoes',
      utm_content: 'a',
      $device_id: 'd-1',
      $device_manufacturer: 'Acme',
      $device_model: 'A1',
      $device_name: 'phone',
      $device_type: 'ios',
      $lib: 'its own',
      $lib_version: '4.2',
      $network_wifi: true,
      $network_carrier: 'Example',
      $os: 'iOS',
      $os_version: '18',
      $current_url: 'https://shop.test/a',
      $pathname: '/a',
      $referrer: 'https://search.test/?q=1',
      $host: 'shop.test',
      $referring_domain: 'search.test',
      title: 'A',
      $screen_width: 390,
      $screen_height: 844,
      $context: { device: { token: 'unmapped' }, experiment: { arm: 'b' }, active: true },
      price: 3,
    });
  });

  it('and a batch takes the type of each message from the message', () => {
    expect(accepted(null, { type: 'screen', userId: 'ada', name: 'Start' }).event).toBe('$screen');
  });

  it('but a context of hostile names changes no prototype', () => {
    const message = JSON.parse(
      '{"userId":"ada","event":"e","context":{"__proto__":{"admin":true},"constructor":{"name":"x"},"os":{"__proto__":1}}}',
    ) as object;
    const { properties } = accepted('track', message);
    expect(JSON.stringify(properties)).toBe(
      '{"$context":{"__proto__":{"admin":true},"constructor":{"name":"x"},"os":{"__proto__":1}}}',
    );
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });
});

describe('the uuid of an event', () => {
  const track = (messageId: unknown) => accepted('track', { userId: 'ada', event: 'e', messageId }).uuid;
  const given = '018DF9A0-0000-7000-8000-000000000001';

  it('is the message id when that is a uuid', () => {
    expect(track(given)).toBe(given.toLowerCase());
  });
  it('is derived from any other message id, always in the same way', () => {
    expect(track('node-next-1668208232027-743be593')).toBe(track('node-next-1668208232027-743be593'));
    expect(track('node-next-1668208232027-743be593')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab]/);
    expect(track('m-1')).not.toBe(track('m-2'));
    expect(track(17)).toBe(track('17'));
  });
  it.each([undefined, null, '', {}, []])('is new each time for the message id %p', (messageId) => {
    expect(track(messageId)).not.toBe(track(messageId));
  });
});

describe('the time of an event', () => {
  const at = (message: object, sentAt: Date | null = null) =>
    accepted('track', { userId: 'ada', event: 'e', ...message }, { sentAt }).timestamp.toISOString();
  const tenMinutesFast = '2026-03-01T12:10:00.000Z';

  it.each([
    [{}, null, '2026-03-01T12:00:00.000Z'],
    [{ timestamp: '2026-03-01T11:00:00Z' }, null, '2026-03-01T11:00:00.000Z'],
    [{ timestamp: '2026-03-01T11:00:00Z', sentAt: tenMinutesFast }, null, '2026-03-01T10:50:00.000Z'],
    [{ originalTimestamp: '2026-03-01T11:00:00Z', sentAt: tenMinutesFast }, null, '2026-03-01T10:50:00.000Z'],
    [{ timestamp: '2026-03-01T11:00:00Z' }, new Date(tenMinutesFast), '2026-03-01T10:50:00.000Z'],
    [
      { timestamp: '2026-02-01T00:00:00Z', originalTimestamp: '2026-03-01T11:00:00Z' },
      null,
      '2026-02-01T00:00:00.000Z',
    ],
  ])('%j sent at %p is %s', (message, sentAt, time) => {
    expect(at(message, sentAt)).toBe(time);
  });
});

describe('a message is refused, with the field and its place in the batch,', () => {
  it.each<[MessageType | null, unknown, string, string]>([
    [null, { userId: 'ada' }, 'invalid_input', 'type must be one of identify, track, page, screen, group, alias'],
    [null, { type: 'identity', userId: 'ada' }, 'invalid_input', 'type must be one of identify, track'],
    ['track', { event: 'e' }, 'required', 'userId and anonymousId are missing'],
    ['track', { event: 'e', userId: '', anonymousId: null }, 'required', 'userId and anonymousId are missing'],
    ['track', { userId: 'ada' }, 'required', 'event is missing'],
    ['track', { userId: 'ada', event: 'e', properties: [] }, 'invalid_input', 'properties must be an object'],
    ['identify', { userId: 'ada', traits: 'pro' }, 'invalid_input', 'traits must be an object'],
    ['page', { userId: 'ada', context: 5 }, 'invalid_input', 'context must be an object'],
    ['group', { userId: 'ada' }, 'required', 'groupId is missing'],
    ['alias', { userId: 'ada' }, 'required', 'previousId is missing'],
    ['track', 'ada', 'invalid_input', 'an event must be a JSON object'],
  ])('%s %j', (type, message, code, detail) => {
    expect(refusal(type, message)).toMatchObject({ index: 2, code, detail: expect.stringContaining(detail) });
  });
});
