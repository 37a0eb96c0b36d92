import { isRecord } from '../../kernel/event-log/normalise/json.js';
import { type CaptureFailure, badToken, unauthenticated } from './failure.js';
import { isKey } from '../../kernel/event-log/normalise/checked.js';
import { type ByteSpan, Outline, isSpace } from './outline.js';

/** The member of a body that contains the token. */
export type TokenField = 'api_key' | 'writeKey';

const printable = /^[\x21-\x7e]{1,64}$/;

/**
 * Finds the one project token of a request. The body and its events may all contain a token, and all tokens must be equal. A
 * `token` inside `properties` may be data of the sender: it counts if it looks like a project token, or if there is no other.
 */
export class TokenSearch {
  private readonly certain = new Set<unknown>();
  private readonly inProperties = new Set<unknown>();

  constructor(private readonly field: TokenField = 'api_key') {}

  /**
   * True when a reserved field contains the token. A different token elsewhere makes the request invalid, but cannot replace this
   * one.
   */
  get isCertain(): boolean {
    return this.certain.size > 0;
  }

  /** Adds the token of a header. */
  addOutside(token: string | null): void {
    this.name(token);
  }

  add(carrier: unknown): void {
    if (!isRecord(carrier)) return;
    const { api_key, token, $token, properties } = carrier;
    this.name(api_key);
    this.name(token);
    this.name($token);
    if (!isRecord(properties)) return;
    this.find(properties.token);
    this.find(properties.api_key);
  }

  verdict(): { ok: true; token: string } | CaptureFailure {
    const tokens = [...(this.isCertain ? this.certain : this.inProperties)];
    return tokens.length === 0 ? unauthenticated(missing[this.field], this.field) : agree(tokens, this.field);
  }

  protected name(value: unknown): void {
    if (!isEmpty(value)) this.certain.add(value);
  }

  private find(value: unknown): void {
    if (isEmpty(value)) return;
    if (isKey(value)) this.certain.add(value);
    else this.inProperties.add(value);
  }
}

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

const missing: Record<TokenField, string> = {
  api_key: 'no project token, send it as api_key in the body',
  writeKey: 'no project token, send it as the user name of Basic authentication or as writeKey in the body',
};

const agree = (tokens: readonly unknown[], field: string): { ok: true; token: string } | CaptureFailure => {
  if (tokens.some((each) => typeof each === 'string' && each.startsWith('phx_'))) {
    return badToken('a personal API key cannot capture events, send the project token (phc_…)', field);
  }
  if (tokens.some((each) => typeof each !== 'string' || !printable.test(each))) {
    return badToken('malformed project token, it is 1 to 64 printable ASCII characters', field);
  }
  if (tokens.length > 1) {
    return badToken('inconsistent token, all events of a request must carry the same one', field);
  }
  return { ok: true, token: tokens[0] as string };
};

/** No valid token or uuid is longer than this. */
const longestValue = 1024;

/** Parses only the tokens and the uuid among the members of an object. */
export const carrierIn = (json: Buffer, members: ReadonlyMap<string, ByteSpan>): Record<string, unknown> =>
  valuesIn(json, members, ['api_key', 'token', '$token', 'writeKey', 'uuid']);

/** Parses only the tokens in the properties of an object. */
export const propertiesIn = async (
  json: Buffer,
  members: ReadonlyMap<string, ByteSpan>,
): Promise<Record<string, unknown>> => {
  const span = members.get('properties');
  if (span === undefined) return {};
  const properties = trimmed(json, span);
  return { properties: valuesIn(properties, await Outline.membersOf(properties), ['token', 'api_key']) };
};

/** Parses the tokens and the uuid of one event of a list. */
export const carrierOf = async (json: Buffer, span: ByteSpan): Promise<Record<string, unknown>> => {
  const event = trimmed(json, span);
  const members = await Outline.membersOf(event);
  return { ...carrierIn(event, members), ...(await propertiesIn(event, members)) };
};

/** No client sends more white space than this before a value. */
const mostSpace = 64 * 1024;

const trimmed = (json: Buffer, { start, end }: ByteSpan): Buffer => {
  let first = start;
  while (first < end && first - start <= mostSpace && isSpace(json[first])) first += 1;
  return json.subarray(first, end);
};

const valuesIn = (
  json: Buffer,
  members: ReadonlyMap<string, ByteSpan>,
  keys: readonly string[],
): Record<string, unknown> => {
  const values: Record<string, unknown> = {};
  if (members.size === 0) return values;
  for (const key of keys) {
    const span = members.get(key);
    if (span !== undefined) values[key] = valueOf(json, span);
  }
  return values;
};

const valueOf = (json: Buffer, { start, end }: ByteSpan): unknown => {
  if (end - start > longestValue) return {};
  try {
    return JSON.parse(json.toString('utf8', start, end)) as unknown;
  } catch {
    // The body is refused later, when all of it is parsed.
    return undefined;
  }
};
