import { type Sent } from '../sending/send.js';
import { type AmplitudeProject, type DestinationFormat, type Identifier } from './destination.js';

export interface SentMember {
  readonly identifier: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface MembersMessage {
  readonly id: string;
  readonly createdAt: Date;
  readonly projectId: number;
  readonly cohort: { readonly id: number; readonly name: string };
  /** The place of a page of all members; null for what has changed. */
  readonly page: { readonly number: number; readonly of: number; readonly session: string } | null;
  readonly added: readonly SentMember[];
  readonly removed: readonly string[];
  /** The id that the receiver gave the cohort. */
  readonly receiverCohort: string | null;
}

export interface FormatSettings {
  readonly format: DestinationFormat;
  readonly identifier: Identifier | null;
  readonly amplitude: AmplitudeProject | null;
}

export interface Written {
  /** Is added to the path of the webhook. */
  readonly path: string;
  readonly body: string;
}

/** Returns null when there is nothing to tell the receiver. */
type Write = (message: MembersMessage, settings: FormatSettings) => Written | null;

/** The pages of one session together replace the members that the receiver has. */
const mixpanel: Write = ({ id, projectId, cohort, page, added, removed }, { identifier }) => {
  const [action, members]: readonly [string, readonly SentMember[]] = page
    ? ['members', added]
    : added.length > 0
      ? ['add_members', added]
      : ['remove_members', removed.map((one) => ({ identifier: one, properties: {} }))];
  if (!page && members.length === 0) return null;
  const named = members.map(({ identifier: text, properties }) => ({
    ...properties,
    mixpanel_distinct_id: text,
    ...(identifier === 'email' && { email: text }),
  }));
  return mixpanelMessage(action, { id, projectId, cohort, page }, named);
};

const mixpanelMessage = (
  action: string,
  {
    id,
    projectId,
    cohort,
    page,
  }: Pick<MembersMessage, 'id' | 'projectId' | 'page'> & {
    readonly cohort: { readonly id: number | string; readonly name: string };
  },
  members: readonly object[],
): Written => {
  const parameters = {
    mixpanel_project_id: String(projectId),
    mixpanel_cohort_name: cohort.name,
    mixpanel_cohort_id: String(cohort.id),
    mixpanel_cohort_description: '',
    mixpanel_session_id: page?.session ?? id,
    page_info: { total_pages: page?.of ?? 1, page_count: page?.number ?? 1 },
    members,
  };
  return { path: '', body: JSON.stringify({ action, parameters }) };
};

/** The first page creates the cohort, or replaces its members. An upload must have members. */
const amplitude: Write = ({ cohort, page, added, removed, receiverCohort }, { amplitude: project }) => {
  const ids = added.map(({ identifier }) => identifier);
  if (ids.length > 0 && (receiverCohort === null || page?.number === 1)) {
    const upload = {
      name: cohort.name,
      ...{ app_id: project?.app_id, id_type: 'BY_USER_ID', ids, owner: project?.owner, published: true },
      ...(receiverCohort !== null && { existing_cohort_id: receiverCohort }),
    };
    return { path: '/upload', body: JSON.stringify(upload) };
  }
  if (receiverCohort === null || ids.length + removed.length === 0) return null;
  const memberships = [
    { ids, id_type: 'BY_NAME', operation: 'ADD' },
    { ids: removed, id_type: 'BY_NAME', operation: 'REMOVE' },
  ].filter((membership) => membership.ids.length > 0);
  const body = JSON.stringify({ cohort_id: receiverCohort, skip_invalid_ids: true, memberships });
  return { path: '/membership', body };
};

/** Segment refuses a call of more bytes. */
const mostBytesOfCall = 32_000;

const segment: Write = ({ id, createdAt, cohort, added, removed }) => {
  const trait = `kohort_cohort_${cohort.id}`;
  const calls = [
    ...removed.map((userId) => ({ userId, traits: { [trait]: false } })),
    ...added.map(({ identifier: userId, properties }) => ({ userId, traits: { ...properties, [trait]: true } })),
  ];
  if (calls.length === 0) return null;
  const batch = calls.map(({ userId, traits }, at) => {
    const call = { type: 'identify', messageId: `${id}:${at}`, timestamp: createdAt.toISOString(), userId, traits };
    const isTooLong = Buffer.byteLength(JSON.stringify(call)) > mostBytesOfCall;
    return isTooLong ? { ...call, traits: { [trait]: traits[trait] } } : call;
  });
  return { path: '', body: JSON.stringify({ batch }) };
};

const writers: Readonly<Record<DestinationFormat, Write>> = { mixpanel, amplitude, segment };

export const writeMembers: Write = (message, settings) => writers[settings.format](message, settings);

/** The largest body that a receiver of the format takes. */
export const mostBytes: Readonly<Record<DestinationFormat, number>> = {
  mixpanel: Infinity,
  amplitude: Infinity,
  segment: 500_000,
};

/** A message in the format, without a person. */
export const emptyMessage = (format: DestinationFormat, projectId: number, id: string): Written => {
  if (format === 'mixpanel')
    return mixpanelMessage('add_members', { id, projectId, cohort: { id: 'test', name: 'test' }, page: null }, []);
  if (format === 'segment') return { path: '', body: JSON.stringify({ batch: [] }) };
  return { path: '/membership', body: JSON.stringify({ cohort_id: '', skip_invalid_ids: true, memberships: [] }) };
};

export interface Judged extends Sent {
  /** The id that the receiver gave the cohort. */
  readonly receiverCohort?: string;
}

const jsonIn = (answer: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(answer);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
};

/** Reads what the format says in the body of an accepted message. No text of it is kept but a well-formed id. */
export const judge = (format: DestinationFormat, path: string, sent: Sent): Judged => {
  if (sent.error !== null) return sent;
  const answer = jsonIn(sent.answer ?? '');
  if (format === 'mixpanel' && answer.status === 'failure') {
    const { code } = jsonIn(JSON.stringify(answer.error ?? null));
    const status = Number.isInteger(code) && Number(code) >= 400 && Number(code) < 600 ? Number(code) : sent.status;
    return {
      ...sent,
      status,
      error: `The receiver answered "failure"${status === sent.status ? '' : ` and ${status}`}`,
    };
  }
  if (path !== '/upload') return sent;
  const { cohort_id: id } = answer;
  if (typeof id === 'string' && /^[\w-]{1,100}$/.test(id)) return { ...sent, receiverCohort: id };
  return { ...sent, error: 'The receiver answered without the cohort_id of the cohort that it made' };
};
