import { type ServerResponse } from 'node:http';
import { type DestinationFormat } from '../../../src/webhooks/destinations/destination.js';
import { type ReceivedMessage, TestReceiver } from './receiver.js';

type Members = Map<string, Map<string, object>>;

interface Answer {
  readonly status: number;
  readonly body: object;
}

const ok = (body: object = {}): Answer => ({ status: 200, body });

const demand = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(what);
};

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

interface MixpanelBody {
  readonly action: string;
  readonly parameters: {
    readonly mixpanel_project_id: string;
    readonly mixpanel_cohort_id: string;
    readonly mixpanel_cohort_name: string;
    readonly mixpanel_session_id: string;
    readonly page_info: { readonly total_pages: number; readonly page_count: number };
    readonly members: readonly { readonly mixpanel_distinct_id: string }[];
  };
}

/** Collects the pages of a session, and replaces the members when it has all of them. */
class MixpanelBook {
  readonly cohorts: Members = new Map();
  private readonly sessions = new Map<string, Map<number, MixpanelBody['parameters']['members']>>();

  take({ action, parameters }: MixpanelBody): Answer {
    const { mixpanel_cohort_id: cohort, mixpanel_session_id: session, page_info: page, members } = parameters;
    demand([cohort, session, parameters.mixpanel_project_id, parameters.mixpanel_cohort_name].every(isText), 'texts');
    demand(page.page_count >= 1 && page.page_count <= page.total_pages, 'page_info');
    demand(members.length <= 1000 && members.every((one) => isText(one.mixpanel_distinct_id)), 'members');
    const known = this.cohorts.get(cohort) ?? new Map<string, object>();
    this.cohorts.set(cohort, known);
    if (action === 'members') {
      const pages = this.sessions.get(session) ?? new Map<number, typeof members>();
      this.sessions.set(session, pages.set(page.page_count, members));
      const all = Array.from({ length: page.total_pages }, (_, at) => pages.get(at + 1));
      if (page.page_count === page.total_pages && all.every((one) => one !== undefined)) {
        known.clear();
        for (const one of all.flat()) known.set(one.mixpanel_distinct_id, one);
      }
    } else if (action === 'add_members') for (const one of members) known.set(one.mixpanel_distinct_id, one);
    else {
      demand(action === 'remove_members', 'action');
      for (const one of members) known.delete(one.mixpanel_distinct_id);
    }
    return ok({ action, status: 'success' });
  }
}

interface AmplitudeUpload {
  readonly name: string;
  readonly app_id: number;
  readonly id_type: string;
  readonly ids: readonly string[];
  readonly owner: string;
  readonly published: boolean;
  readonly existing_cohort_id?: string;
}

interface AmplitudeMembership {
  readonly cohort_id: string;
  readonly memberships: readonly {
    readonly ids: readonly string[];
    readonly id_type: string;
    readonly operation: string;
  }[];
}

/** Makes a cohort for each upload that names none. `cohorts` has them by name: the newest of a name. */
class AmplitudeBook {
  readonly cohorts: Members = new Map();
  private readonly made = new Map<string, Map<string, object>>();

  take(body: unknown, path: string): Answer {
    return path.includes('/upload') ? this.upload(body as AmplitudeUpload) : this.change(body as AmplitudeMembership);
  }

  private upload({ name, app_id: app, id_type: type, ids, owner, published, existing_cohort_id: id }: AmplitudeUpload) {
    demand([name, owner, type].every(isText) && Number.isInteger(app) && typeof published === 'boolean', 'upload');
    demand(type === 'BY_USER_ID' && ids.length > 0 && ids.every(isText), 'ids');
    demand(id === undefined || this.made.has(id), 'existing_cohort_id');
    const cohort = id ?? `amp${this.made.size + 1}`;
    const members = new Map(ids.map((one): [string, object] => [one, {}]));
    this.made.set(cohort, members);
    this.cohorts.set(name, members);
    return ok({ cohort_id: cohort });
  }

  private change({ cohort_id: id, memberships }: AmplitudeMembership) {
    const members = this.made.get(id);
    if (!members) return { status: 400, body: { error: { message: 'Cohort not found' } } };
    demand(memberships.length > 0, 'memberships');
    for (const { ids, id_type: type, operation } of memberships) {
      demand(ids.length > 0 && ids.every(isText) && type === 'BY_NAME', 'membership');
      demand(operation === 'ADD' || operation === 'REMOVE', 'operation');
      for (const one of ids) {
        if (operation === 'ADD') members.set(one, {});
        else members.delete(one);
      }
    }
    return ok({ cohort_id: id, memberships_result: [] });
  }
}

interface SegmentCall {
  readonly type: string;
  readonly messageId: string;
  readonly timestamp: string;
  readonly userId: string;
  readonly traits: Readonly<Record<string, unknown>>;
}

/** A member of the cohort `kohort_cohort_3` has this trait. A call with a known `messageId` is left out. */
class SegmentBook {
  readonly cohorts: Members = new Map();
  private readonly seen = new Set<string>();

  take({ batch }: { readonly batch: readonly SegmentCall[] }, text: string): Answer {
    if (Buffer.byteLength(text) > 500_000) return { status: 400, body: {} };
    demand(batch.length <= 2500, 'batch');
    for (const call of batch) {
      demand(Buffer.byteLength(JSON.stringify(call)) <= 32_000, 'a call has at most 32 kB');
      demand(call.type === 'identify' && isText(call.userId) && !Number.isNaN(Date.parse(call.timestamp)), 'identify');
      demand(isText(call.messageId) && call.messageId.length < 100, 'messageId');
      if (this.seen.has(call.messageId)) continue;
      this.seen.add(call.messageId);
      for (const [trait, value] of Object.entries(call.traits)) {
        const cohort = /^kohort_cohort_(\d+)$/.exec(trait)?.[1];
        if (cohort === undefined) continue;
        const members = this.cohorts.get(cohort) ?? new Map<string, object>();
        this.cohorts.set(cohort, members);
        if (value === true) members.set(call.userId, call.traits);
        else members.delete(call.userId);
      }
    }
    return ok({ success: true });
  }
}

/**
 * Receives members of cohorts as the public documentation of each product describes its receiver, and refuses what is described
 * otherwise.
 */
export class DestinationReceiver {
  readonly faults: string[] = [];
  /** The header that messages must have. */
  authorization: string | null = null;
  /** Headers of answers. */
  headers: Record<string, string> = {};
  private readonly book: MixpanelBook | AmplitudeBook | SegmentBook;

  private constructor(
    readonly http: TestReceiver,
    readonly format: DestinationFormat,
  ) {
    this.book =
      format === 'mixpanel' ? new MixpanelBook() : format === 'amplitude' ? new AmplitudeBook() : new SegmentBook();
    http.writing = (message, response) => this.answer(message, response);
  }

  static async start(format: DestinationFormat): Promise<DestinationReceiver> {
    return new DestinationReceiver(await TestReceiver.start(), format);
  }

  /** The body with which a webhook for this receiver is made. */
  webhook(more: object = {}): object {
    const { format, http } = this;
    const amplitude = format === 'amplitude' && { amplitude: { app_id: 153957, owner: 'ada@example.test' } };
    return { url: http.url, format, ...amplitude, ...more };
  }

  /** The identifiers of the members that the receiver knows, sorted. */
  members(cohort: { readonly id: number; readonly name: string }): string[] {
    return [...this.known(cohort).keys()].sort();
  }

  known({ id, name }: { readonly id: number; readonly name: string }): Map<string, object> {
    return this.book.cohorts.get(this.format === 'amplitude' ? name : String(id)) ?? new Map<string, object>();
  }

  private answer(message: ReceivedMessage, response: ServerResponse): null {
    const { status, body } = this.judged(message);
    response.writeHead(status, { 'content-type': 'application/json', ...this.headers }).end(JSON.stringify(body));
    return null;
  }

  private judged({ status, headers, text, path }: ReceivedMessage): Answer {
    if (this.authorization !== null && headers.authorization !== this.authorization) return { status: 401, body: {} };
    if (status >= 300) return { status, body: {} };
    try {
      const body = JSON.parse(text) as never;
      return this.book instanceof SegmentBook ? this.book.take(body, text) : this.book.take(body, path);
    } catch (error) {
      this.faults.push(`${(error as Error).message}: ${text}`);
      return { status: 400, body: {} };
    }
  }
}
