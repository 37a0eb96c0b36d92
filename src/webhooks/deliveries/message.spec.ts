import { describe, expect, it } from '@jest/globals';
import { noticeBody } from './message.js';

describe('the message of an alert', () => {
  const sent = (origin: string | null, type: 'alert.fired' | 'alert.resolved', data: object): unknown =>
    JSON.parse(noticeBody(2, [{ id: '1', type, data: { insight_id: 7, ...data }, at: new Date(0) }], origin) ?? '');

  it('links the insight where PUBLIC_URL says, as long as it exists', () => {
    const origin = 'https://kohort.example.test';
    const link = { data: { project_id: 2, insight_id: 7, url: `${origin}/p/2/saved?insight=7` } };
    expect(sent(origin, 'alert.fired', { value: 5 })).toMatchObject(link);
    expect(sent(origin, 'alert.resolved', { reason: 'snoozed' })).toMatchObject(link);
    expect(sent(origin, 'alert.resolved', { reason: 'insight_deleted' })).not.toHaveProperty('data.url');
    expect(sent(null, 'alert.fired', { value: 5 })).not.toHaveProperty('data.url');
  });
});
