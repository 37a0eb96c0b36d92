import { jsonFault } from '../../platform/values/json-syntax.js';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  maxBodyDepth,
  maxEventBytes,
  maxEventDepth,
  maxEventNodes,
  maxEventsPerBatch,
} from '../../kernel/event-log/normalise/limits.js';
import { type CaptureFailure, invalid, tooLargeCapture, unparsable } from './failure.js';

export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

export type EventLimit = 'bytes' | 'depth' | 'nodes';

export interface EventSpan extends ByteSpan {
  /** An upper limit for the number of values of any kind in the event. */
  readonly nodes: number;
  /** The limit that the event exceeds, so that it must not be parsed; null if it exceeds none. */
  readonly exceeded: EventLimit | null;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openingBracket = 0x5b;
const backslash = 0x5c;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

const spaces = [0x20, 0x09, 0x0a, 0x0d];
export const isSpace = (byte: number | undefined): boolean => byte !== undefined && spaces.includes(byte);

/** This many bytes are scanned in about a millisecond. */
const sliceBytes = 256 * 1024;

/** The members of objects that are needed before anything else is parsed. */
const notedKeys = new Set(['api_key', 'token', '$token', 'writeKey', 'properties', 'batch', 'uuid']);
/** The length of the longest of these keys if all of its letters are escaped. */
const notedKeyBytes = 6 * 'properties'.length;

/**
 * Finds, in one pass over the bytes and before anything is parsed, the ranges of the events and of some members of a JSON text,
 * how deep the events nest and how many values they have. Does not check that the text is valid JSON: it is valid if each event
 * is, and if the text with an empty list instead of the events is.
 */
export class Outline {
  readonly events: EventSpan[] = [];
  /** The members of the outermost object. As in JSON.parse, the last of equal keys counts. */
  readonly members = new Map<string, ByteSpan>();
  /** The list of events with its brackets; null when the text is a single event. */
  list: ByteSpan | null = null;
  /** The position after the outermost closing bracket; 0 until it is reached. */
  end = 0;
  private failure: CaptureFailure | null = null;
  private at = 1;
  private inText = false;
  private depth = 1;
  /** Inside the list of events, the deepest level of the current event; otherwise the deepest level outside of the list. */
  private deepest = 1;
  private nodes = 2;
  private beforeList = { deepest: 1, nodes: 2 };
  /** Commas at this depth separate the members of the outermost object, or the events of the list. */
  private boundary = 1;
  private inList = false;
  private eventStart = 0;
  private expectsKey: boolean;
  private keyStart = 0;
  private key: string | null = null;
  private valueStart = 0;

  private constructor(
    readonly json: Buffer,
    private readonly holdsEvents: boolean,
  ) {
    this.expectsKey = json[0] === openingBrace;
    if (json[0] === openingBracket && holdsEvents) this.beginList(0, 1);
  }

  /** Reads a text that starts with a bracket or a brace. */
  static async of(json: Buffer): Promise<{ ok: true; outline: Outline } | CaptureFailure> {
    const outline = new Outline(json, true);
    while (!outline.advance()) await yieldToEventLoop();
    const failure = outline.failure ?? outline.conclude();
    return failure ?? { ok: true, outline };
  }

  /** Returns the members of an object, with their ranges. */
  static async membersOf(json: Buffer): Promise<ReadonlyMap<string, ByteSpan>> {
    const outline = new Outline(json, false);
    while (json[0] === openingBrace && !outline.advance()) await yieldToEventLoop();
    return outline.members;
  }

  /** Reads a slice. Returns true when everything is read or the text is refused. */
  private advance(): boolean {
    const { json } = this;
    const stop = Math.min(json.length, this.at + sliceBytes);
    let { at, inText, depth, nodes, deepest } = this;
    while (at < stop && this.end === 0) {
      if (inText) {
        at = textEnd(json, at, stop);
        if (at >= stop) break;
        inText = false;
        if (depth === 1 && this.expectsKey) this.readKey(at);
        at += 1;
        continue;
      }
      switch (json[at]) {
        case quote:
          inText = true;
          if (depth === 1) this.keyStart = at + 1;
          break;
        case colon:
          if (depth === 1) this.valueStart = at + 1;
          break;
        case openingBracket:
        case openingBrace:
          depth += 1;
          nodes += 1;
          if (depth > deepest) deepest = depth;
          if (depth !== 2 || !this.beginsList(at)) break;
          this.beforeList = { deepest, nodes };
          this.beginList(at, 2);
          [nodes, deepest] = [1, 2];
          break;
        case closingBracket:
        case closingBrace:
          depth -= 1;
          if (depth >= this.boundary) break;
          [this.nodes, this.deepest] = [nodes, deepest];
          this.close(at);
          [nodes, deepest] = [this.nodes, this.deepest];
          break;
        case comma:
          nodes += 1;
          if (depth !== this.boundary) break;
          [this.nodes, this.deepest] = [nodes, deepest];
          this.separate(at);
          [nodes, deepest] = [this.nodes, this.deepest];
      }
      at += 1;
      if (this.failure) return true;
    }
    [this.inText, this.depth, this.nodes, this.deepest] = [inText, depth, nodes, deepest];
    this.at = this.end === 0 ? at : this.skipSpace(at, stop);
    return this.at >= json.length || this.failure !== null;
  }

  /** The field that holds the events; null when the body itself is the list or the event. */
  get attr(): 'batch' | null {
    return this.json[0] === openingBrace && this.list !== null ? 'batch' : null;
  }

  private skipSpace(from: number, stop: number): number {
    let at = from;
    while (at < stop && isSpace(this.json[at])) at += 1;
    if (at < stop) this.failure = notJson();
    return at;
  }

  private readKey(end: number): void {
    this.expectsKey = false;
    if (end - this.keyStart > notedKeyBytes) return;
    const text = this.json.toString('latin1', this.keyStart, end);
    const key = text.includes('\\') ? unescaped(text) : text;
    if (!notedKeys.has(key)) return;
    this.key = key;
    if (this.holdsEvents && key === 'batch' && this.members.has(key)) {
      this.failure = invalid('the body contains batch more than once, send one list of events', 'batch');
    }
  }

  private beginsList(at: number): boolean {
    return this.holdsEvents && this.key === 'batch' && this.list === null && this.json[at] === openingBracket;
  }

  private beginList(start: number, depth: number): void {
    this.list = { start, end: start };
    this.inList = true;
    this.boundary = depth;
    this.eventStart = start + 1;
    [this.nodes, this.deepest] = [1, depth];
  }

  /** Handles a comma of the outermost object or of the list of events. */
  private separate(at: number): void {
    if (this.inList) {
      this.nodes -= 1;
      this.endEvent(at);
      return;
    }
    this.endMember(at);
    this.expectsKey = true;
  }

  /** Handles the closing bracket of the outermost object or of the list of events. */
  private close(at: number): void {
    const wasList = this.inList;
    if (wasList) this.endList(at);
    if (this.boundary === 2) {
      this.boundary = 1;
      return;
    }
    if (!wasList) this.endMember(at);
    this.end = at + 1;
  }

  private endList(at: number): void {
    const { json, list, events } = this;
    if (json[at] !== closingBracket || list === null) {
      this.failure = notJson();
      return;
    }
    if (events.length > 0 || !this.isBlank(this.eventStart, at)) this.endEvent(at);
    this.list = { start: list.start, end: at + 1 };
    this.inList = false;
    [this.nodes, this.deepest] = [this.beforeList.nodes, this.beforeList.deepest];
  }

  private isBlank(start: number, end: number): boolean {
    let at = start;
    while (at < end && isSpace(this.json[at]) && at - start <= maxEventBytes) at += 1;
    return at === end;
  }

  private endMember(end: number): void {
    if (this.key !== null) this.members.set(this.key, { start: this.valueStart, end });
    this.key = null;
  }

  private endEvent(end: number): void {
    const { events, eventStart: start, nodes } = this;
    if (events.length === maxEventsPerBatch) {
      const attr = this.boundary === 2 ? 'batch' : null;
      this.failure = tooLargeCapture(`a batch may have at most ${maxEventsPerBatch} events, this one has more`, attr);
    }
    events.push({ start, end, nodes, exceeded: exceededBy(end - start, this.deepest - this.boundary, nodes) });
    this.eventStart = end + 1;
    [this.nodes, this.deepest] = [1, this.boundary];
  }

  private conclude(): CaptureFailure | null {
    const { list, events, end, nodes, members } = this;
    if (end === 0) return notJson();
    if (list === null) {
      if (members.has('batch')) return invalid('batch must be a list of events', 'batch');
      if (end > maxEventBytes) return tooLargeCapture(`an event may have at most ${maxEventBytes} bytes of JSON`);
      events.push({ start: 0, end, nodes, exceeded: exceededBy(end, this.deepest, nodes) });
      return null;
    }
    if (end - (list.end - list.start) > maxEventBytes || nodes > maxEventNodes) {
      return tooLargeCapture(`beside its events a body may have ${maxEventBytes} bytes and ${maxEventNodes} values`);
    }
    return this.deepest > maxBodyDepth ? unparsable(`the JSON nests deeper than ${maxBodyDepth} levels`) : null;
  }
}

export const notJson = (): CaptureFailure => unparsable('the body is not valid JSON');

/** A larger body is not explained, because the search for the fault would take longer than reading it. */
const maxExplainedBytes = 256 * 1024;

/**
 * Returns the refusal of a body that is not valid JSON, with the position of the fault; null when the body is valid, or too large
 * for the search.
 */
export const syntaxRefusal = async (json: Buffer): Promise<CaptureFailure | null> => {
  if (json.length > maxExplainedBytes) return null;
  const fault = await jsonFault(json.toString('utf8'));
  return fault === null ? null : unparsable(`${notJson().detail}: ${fault}`);
};

/** Adds the position of the fault to the refusal of a body that is not valid JSON. */
export const withPosition = async (failure: CaptureFailure, json: Buffer): Promise<CaptureFailure> =>
  failure.detail === notJson().detail ? ((await syntaxRefusal(json)) ?? failure) : failure;

/** Returns the position of the closing quote, or the end of the slice. */
const textEnd = (json: Buffer, from: number, stop: number): number => {
  let at = from;
  while (at < stop && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
};

const exceededBy = (bytes: number, depth: number, nodes: number): EventLimit | null => {
  if (bytes > maxEventBytes) return 'bytes';
  if (depth > maxEventDepth) return 'depth';
  return nodes > maxEventNodes ? 'nodes' : null;
};

const unescaped = (text: string): string => {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return '';
  }
};
