import { describe, expect, it } from '@jest/globals';
import { type DestinationFormat } from './destination.js';
import { judge, type MembersMessage, writeMembers } from './format-messages.js';

const message: MembersMessage = {
  id: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e',
  createdAt: new Date('2026-03-01T12:00:00.000Z'),
  projectId: 2,
  cohort: { id: 3, name: 'Customers' },
  page: null,
  added: [],
  removed: [],
  receiverCohort: null,
};
const ada = { identifier: 'ada@example.test', properties: { plan: 'pro' } };
const bob = { identifier: 'bob@example.test', properties: {} };

const written = (format: DestinationFormat, more: Partial<MembersMessage>): unknown => {
  const amplitude = { app_id: 153957, owner: 'owner@example.test' };
  const found = writeMembers({ ...message, ...more }, { format, identifier: 'email', amplitude });
  return found && { path: found.path, ...(JSON.parse(found.body) as object) };
};

const page = { number: 1, of: 2, session: 's' };

describe('mixpanel', () => {
  const parameters = {
    mixpanel_project_id: '2',
    mixpanel_cohort_name: 'Customers',
    mixpanel_cohort_id: '3',
    mixpanel_cohort_description: '',
    mixpanel_session_id: message.id,
    page_info: { total_pages: 1, page_count: 1 },
  };
  const [one, other] = [ada, bob].map(({ identifier, properties }) => ({
    ...properties,
    mixpanel_distinct_id: identifier,
    email: identifier,
  }));

  it('gets members in pages, then who entered and who left', () => {
    const pages = { mixpanel_session_id: 's', page_info: { total_pages: 2, page_count: 1 } };
    expect(written('mixpanel', { page, added: [ada, bob], removed: ['cy'] })).toEqual({
      ...{ path: '', action: 'members', parameters: { ...parameters, ...pages, members: [one, other] } },
    });
    expect(written('mixpanel', { added: [ada] })).toEqual({
      ...{ path: '', action: 'add_members', parameters: { ...parameters, members: [one] } },
    });
    expect(written('mixpanel', { removed: [bob.identifier] })).toEqual({
      ...{ path: '', action: 'remove_members', parameters: { ...parameters, members: [other] } },
    });
  });

  it('is told that a cohort is empty, and nothing when there is no change to tell', () => {
    expect(written('mixpanel', { page: { ...page, of: 1 } })).toMatchObject({ parameters: { members: [] } });
    expect(written('mixpanel', {})).toBeNull();
  });
});

describe('amplitude', () => {
  const upload = {
    ...{ path: '/upload', name: 'Customers', app_id: 153957, id_type: 'BY_USER_ID', owner: 'owner@example.test' },
    ...{ ids: [ada.identifier], published: true },
  };

  it('gets an upload that makes the cohort, or replaces its members on the first page', () => {
    expect(written('amplitude', { added: [ada] })).toEqual(upload);
    expect(written('amplitude', { page, added: [ada], receiverCohort: 'x1' })).toEqual({
      ...upload,
      existing_cohort_id: 'x1',
    });
  });

  it('gets changes of the membership after that', () => {
    const membership = { path: '/membership', cohort_id: 'x1', skip_invalid_ids: true };
    const add = { ids: [ada.identifier], id_type: 'BY_NAME', operation: 'ADD' };
    const remove = { ids: [bob.identifier], id_type: 'BY_NAME', operation: 'REMOVE' };
    const known = { receiverCohort: 'x1' };
    const second = { ...page, number: 2 };
    expect(written('amplitude', { ...known, page: second, added: [ada], removed: [bob.identifier] })).toEqual({
      ...membership,
      memberships: [add, remove],
    });
    expect(written('amplitude', { ...known, removed: [bob.identifier] })).toEqual({
      ...membership,
      memberships: [remove],
    });
    expect(written('amplitude', { page, removed: [bob.identifier] })).toBeNull();
  });
});

describe('segment', () => {
  const call = (at: number, userId: string, traits: object) => ({
    ...{ type: 'identify', messageId: `${message.id}:${at}`, timestamp: '2026-03-01T12:00:00.000Z', userId, traits },
  });

  it('gets a trait for each cohort, true or false', () => {
    expect(written('segment', { page, added: [ada], removed: [bob.identifier] })).toEqual({
      path: '',
      batch: [
        call(0, bob.identifier, { kohort_cohort_3: false }),
        call(1, ada.identifier, { plan: 'pro', kohort_cohort_3: true }),
      ],
    });
    expect(written('segment', { page })).toBeNull();
  });

  it('gets no properties that are too long for a call', () => {
    const long = { identifier: 'ada', properties: { bio: 'x'.repeat(33_000) } };
    expect(written('segment', { added: [long] })).toEqual({
      path: '',
      batch: [call(0, 'ada', { kohort_cohort_3: true })],
    });
  });
});

describe('an answer', () => {
  const judged = (format: DestinationFormat, path: string, answer: unknown) =>
    judge(format, path, { status: 200, error: null, answer: JSON.stringify(answer) });

  it('of mixpanel may say that it failed', () => {
    expect(judged('mixpanel', '', { action: 'members', status: 'success' }).error).toBeNull();
    expect(judged('mixpanel', '', { status: 'failure', error: { message: 'secret', code: 403 } })).toMatchObject({
      status: 403,
      error: 'The receiver answered "failure" and 403',
    });
    expect(judged('mixpanel', '', { status: 'failure' })).toMatchObject({
      status: 200,
      error: 'The receiver answered "failure"',
    });
    expect(judged('segment', '', { status: 'failure' }).error).toBeNull();
  });

  it('of amplitude has the id of the cohort that it made', () => {
    expect(judged('amplitude', '/upload', { cohort_id: '1a2bc3d' }).receiverCohort).toBe('1a2bc3d');
    for (const answer of [{}, { cohort_id: 7 }, { cohort_id: 'a b' }, { cohort_id: 'x'.repeat(101) }, [], 'text'])
      expect(judged('amplitude', '/upload', answer).error).toContain('without the cohort_id');
    expect(judged('amplitude', '/membership', {})).toMatchObject({ error: null });
  });
});
