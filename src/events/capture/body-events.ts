import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isRecord } from '../../kernel/event-log/normalise/json.js';
import { maxEventBytes, maxEventDepth, maxEventNodes } from '../../kernel/event-log/normalise/limits.js';
import { type EventRejection } from '../../kernel/event-log/normalise/normalise.js';
import { parseTimestamp } from '../../kernel/event-log/normalise/timestamp.js';
import { senderUuid } from '../../kernel/event-log/normalise/event-ids.js';
import { type Dialect } from './dialect.js';
import { badToken, type CaptureFailure, missing } from './failure.js';
import { isJson } from '../../platform/values/json-syntax.js';
import { type EventSpan, notJson, type Outline, withPosition } from './outline.js';
import { type TokenSearch, carrierOf } from './token.js';

/** The fields of a body that concern all of its events. */
export interface CaptureContext {
  readonly sentAt: Date | null;
  readonly historicalMigration: boolean;
}

/** Consecutive events of a body, or one event that exceeds a limit and was not parsed. */
export type EventChunk =
  | { readonly first: number; readonly rawEvents: readonly unknown[]; readonly isHeavy: boolean }
  | { readonly first: number; readonly rejection: EventRejection };

type Take = (chunk: EventChunk, context: CaptureContext) => Promise<void> | void;

/** A chunk of this size is parsed and normalised in about a millisecond; between chunks, other requests are served. */
const eventsPerChunk = 25;
const bytesPerChunk = 64 * 1024;
const nodesPerChunk = 2000;

/** A capture body whose token is known and whose events are not yet parsed. */
export class BodyEvents {
  readonly ok = true;

  constructor(
    private readonly outline: Outline,
    readonly token: string,
    private readonly dialect: Dialect,
    /** Values from outside the body: a token, and times of sending, of which the first valid one counts. */
    private readonly outside: { readonly token: string | null; readonly sent: readonly unknown[] },
  ) {}

  /** The size of the unpacked body. */
  get bytes(): number {
    return this.outline.json.length;
  }

  /** The number of events, valid or not. */
  get events(): number {
    return this.outline.events.length;
  }

  /** True when each event exceeds the limit of bytes, so that the answer is 413. */
  get isTooLarge(): boolean {
    return this.outline.events.every(({ exceeded }) => exceeded === 'bytes');
  }

  /**
   * Parses the body chunk by chunk. If the result is a failure, the whole body is refused, and the caller must discard everything
   * it has received.
   */
  async read(take: Take): Promise<CaptureFailure | null> {
    const { events } = this.outline;
    const wrapper = this.parseWrapper();
    if (wrapper === undefined) return withPosition(notJson(), this.outline.json);
    const misnamed = this.outline.list === null ? misnamedBatch(wrapper) : null;
    if (misnamed !== null) return missing(`batch is missing; ${JSON.stringify(misnamed)} is not known here`, 'batch');
    const context = this.contextOf(wrapper);
    const tokens = this.dialect.tokenSearch();
    tokens.addOutside(this.outside.token);
    tokens.add(wrapper);
    for (let first = 0; first < events.length;) {
      if (first > 0) await yieldToEventLoop();
      const end = chunkEnd(events, first);
      const chunk = await this.chunk(first, end, wrapper, tokens);
      if (chunk === null) return withPosition(notJson(), this.outline.json);
      await take(chunk, context);
      first = end;
    }
    const verdict = tokens.verdict();
    if (!verdict.ok) return verdict;
    // Events after a changed token would otherwise be written to a project that they do not name.
    return verdict.token === this.token ? null : badToken('the token changes within the body', this.dialect.tokenField);
  }

  private contextOf(wrapper: unknown): CaptureContext {
    const body = isRecord(wrapper) ? wrapper : {};
    let sentAt: Date | null = null;
    for (const sent of [body[this.dialect.sentAt], ...this.outside.sent]) sentAt ??= parseTimestamp(sent);
    return { sentAt, historicalMigration: body.historical_migration === true };
  }

  /** Returns the body without its events, or the whole body if it is a single event; undefined if it is not valid JSON. */
  private parseWrapper(): unknown {
    const { json, list, end, events } = this.outline;
    if (list === null) return events[0]?.exceeded ? null : parse(json.toString('utf8', 0, end));
    return parse(`${json.toString('utf8', 0, list.start)}[]${json.toString('utf8', list.end, end)}`);
  }

  private async chunk(first: number, end: number, wrapper: unknown, tokens: TokenSearch): Promise<EventChunk | null> {
    const { json, list, events } = this.outline;
    const spans = events.slice(first, end);
    const [span] = spans;
    if (span?.exceeded) {
      const carrier = await carrierOf(json, span);
      tokens.add(carrier);
      const isValid = await isJson(json.subarray(span.start, span.end));
      return isValid ? { first, rejection: rejectionOf(span, first, carrier.uuid) } : null;
    }
    const rawEvents = list === null ? [wrapper] : parseList(json, spans);
    if (rawEvents === null) return null;
    if (list !== null) for (const raw of rawEvents) tokens.add(raw);
    return { first, rawEvents, isHeavy: (span?.nodes ?? 0) >= nodesPerChunk };
  }
}

const eventKeys = ['event', 'type', 'distinct_id', '$distinct_id', 'userId', 'anonymousId', 'properties'];

/** Returns the field that was probably meant as the batch: a list of objects in a body without any field of an event. */
const misnamedBatch = (body: unknown): string | null => {
  if (!isRecord(body) || eventKeys.some((key) => Object.hasOwn(body, key))) return null;
  const [name] = Object.entries(body).find(([, value]) => Array.isArray(value) && isRecord(value[0])) ?? [];
  return name?.slice(0, longestQuoted) ?? null;
};

const longestQuoted = 100;

/** Returns the end of the chunk that starts at `first`. An event that is large or exceeds a limit gets its own chunk. */
const chunkEnd = (events: readonly EventSpan[], first: number): number => {
  let [end, bytes, nodes] = [first, 0, 0];
  while (end < events.length && end - first < eventsPerChunk) {
    const span = events[end] as EventSpan;
    bytes += span.end - span.start;
    nodes += span.nodes;
    if (end > first && (span.exceeded || bytes > bytesPerChunk || nodes > nodesPerChunk)) break;
    end += 1;
    if (span.exceeded) break;
  }
  return end;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Parses several events at once, because each call of the parser and of the decoder has a cost. */
const parseList = (json: Buffer, spans: readonly EventSpan[]): unknown[] | null => {
  const list = parse(`[${json.toString('utf8', spans[0]?.start, spans.at(-1)?.end)}]`);
  return Array.isArray(list) && list.length === spans.length ? list : null;
};

const rejectionOf = (span: EventSpan, index: number, sentUuid: unknown): EventRejection => {
  const uuid = senderUuid(sentUuid);
  if (!uuid.ok) return { index, uuid: null, code: uuid.code, detail: uuid.detail };
  return { index, uuid: uuid.value, ...excessOf(span) };
};

const excessOf = ({ exceeded, start, end }: EventSpan): Pick<EventRejection, 'code' | 'detail'> => {
  switch (exceeded) {
    case 'bytes': {
      const detail = `an event may have at most ${maxEventBytes} bytes of JSON, this one has ${end - start}`;
      return { code: 'too_large', detail };
    }
    case 'depth':
      return { code: 'invalid_input', detail: `an event may nest at most ${maxEventDepth} levels deep` };
    default:
      return { code: 'too_large', detail: `an event may have at most ${maxEventNodes} values` };
  }
};
