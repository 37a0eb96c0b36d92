import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { normalise } from '../../src/kernel/event-log/normalise/normalise.js';
import { decode } from '../support/decoded-capture.js';

interface Recording {
  sdk: string;
  scenario: string;
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  decoding: 'none' | 'gzip' | 'none+form-data=+base64';
  body: RawEvent | RawEvent[] | { batch: RawEvent[]; sent_at?: string };
}

interface RawEvent {
  uuid: string;
  event: string;
  timestamp?: string;
  offset?: number;
  distinct_id?: string;
  properties: Record<string, unknown>;
}

/** Every request unmodified SDKs sent to a capture path; the bodies unpacked, `decoding` says how they were packed. */
const recordings = JSON.parse(readFileSync(new URL('./recordings.json', import.meta.url), 'utf8')) as Recording[];

const packed = ({ body, decoding }: Recording): Buffer => {
  const json = JSON.stringify(body);
  if (decoding === 'gzip') return gzipSync(json);
  if (decoding === 'none') return Buffer.from(json);
  return Buffer.from(`data=${encodeURIComponent(Buffer.from(json).toString('base64'))}`);
};

const eventsOf = ({ body }: Recording): RawEvent[] => {
  if (Array.isArray(body)) return body;
  return 'batch' in body ? body.batch : [body];
};

const play = async (recording: Recording) => {
  const { method, query, headers } = recording;
  const decoded = await decode({ method, query: new URLSearchParams(query), headers, body: packed(recording) });
  if (!decoded.ok) throw new Error(decoded.detail);
  const now = new Date((decoded.sentAt ?? new Date('2026-11-21T06:00:00Z')).getTime() + 1_000);
  const context = { now, sentAt: decoded.sentAt, engage: false };
  return { decoded, now, outcomes: decoded.rawEvents.map((raw, index) => normalise(raw, { ...context, index })) };
};

describe('recorded requests of official SDKs', () => {
  it.each([
    { sdk: 'posthog-node@5.70.0', requests: 53, events: 73 },
    { sdk: 'posthog-node@4.18.0', requests: 1, events: 5 },
    { sdk: 'posthog-node@3.6.3', requests: 2, events: 5 },
    { sdk: 'posthog-js@1.434.18', requests: 63, events: 69 },
    { sdk: 'posthog-js@1.300.0', requests: 6, events: 12 },
    { sdk: 'posthog-js@1.160.0', requests: 5, events: 11 },
  ])('$sdk: $requests requests hold $events events, and all are accepted', async ({ sdk, requests, events }) => {
    const ofSdk = recordings.filter((recording) => recording.sdk === sdk);
    expect(ofSdk).toHaveLength(requests);
    const outcomes = (await Promise.all(ofSdk.map(play))).flatMap((played) => played.outcomes);
    expect(outcomes).toHaveLength(events);
    expect(outcomes.filter((outcome) => !outcome.ok)).toEqual([]);
    expect(outcomes.flatMap((outcome) => (outcome.ok ? outcome.event.warnings : []))).toEqual([]);
  });

  it.each(
    recordings.map((recording, index) => [`${index} ${recording.sdk} ${recording.scenario}`, recording] as const),
  )('recording %s keeps token, uuids, names, ids and times', async (_name, recording) => {
    const { decoded, now, outcomes } = await play(recording);
    expect(decoded.token).toBe('phc_testkey');
    expect(decoded.sentAt).not.toBeNull();
    const clockError = now.getTime() - (decoded.sentAt?.getTime() ?? 0);
    const expected = eventsOf(recording).map(({ uuid, event, distinct_id, timestamp, offset, properties }) => {
      const time = timestamp ? Date.parse(timestamp) + clockError : now.getTime() - (offset ?? 0);
      const distinctId = distinct_id ?? properties.distinct_id;
      return { uuid, event, distinctId, timestamp: new Date(time) };
    });
    expect(outcomes).toMatchObject(expected.map((event) => ({ ok: true, event })));
    expect(outcomes.every((outcome) => outcome.ok && !('token' in outcome.event.properties))).toBe(true);
  });

  it('the browser joins its anonymous id when a user logs in', async () => {
    const all = (await Promise.all(recordings.map(play))).flatMap((played) => played.outcomes);
    const merges = all.flatMap((outcome) => (outcome.ok && outcome.event.merge ? [outcome.event] : []));
    const count = (kind: string) => merges.filter((event) => event.merge?.kind === kind).length;
    expect({ identify: count('identify'), alias: count('alias') }).toEqual({ identify: 3, alias: 7 });
    const browser = merges.find((event) => event.merge?.kind === 'identify');
    expect(browser).toMatchObject({ distinctId: 'user_1', identifies: true, person: { set: { name: 'Ann' } } });
  });
});
