import { isSpace, Outline, type ByteSpan } from './outline.js';

/** No token and no uuid is longer than this. */
const longestValue = 1024;

/** Parses only the token and the uuid of an object of unparsed JSON, and leaves out its other members. */
export const carrierIn = (json: Buffer, members: ReadonlyMap<string, ByteSpan>): Record<string, unknown> =>
  valuesIn(json, members, ['api_key', 'token', '$token', 'writeKey', 'uuid']);

/** Does the same for the object's properties. */
export const propertiesIn = async (
  json: Buffer,
  members: ReadonlyMap<string, ByteSpan>,
): Promise<Record<string, unknown>> => {
  const span = members.get('properties');
  if (span === undefined) return {};
  const properties = trimmed(json, span);
  return { properties: valuesIn(properties, await Outline.membersOf(properties), ['token', 'api_key']) };
};

/** Does both for one event of a list. */
export const carrierOf = async (json: Buffer, span: ByteSpan): Promise<Record<string, unknown>> => {
  const event = trimmed(json, span);
  const members = await Outline.membersOf(event);
  return { ...carrierIn(event, members), ...(await propertiesIn(event, members)) };
};

/** No client sends as much. */
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
    // The body is refused later, when it is parsed.
    return undefined;
  }
};
