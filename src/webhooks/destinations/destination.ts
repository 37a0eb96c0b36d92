import { invalidInput, required } from '../../platform/errors/problem.js';

export const webhookFormats = ['standard', 'mixpanel', 'amplitude', 'segment'] as const;
export type WebhookFormat = (typeof webhookFormats)[number];
export type DestinationFormat = Exclude<WebhookFormat, 'standard'>;

const identifiers = ['distinct_id', 'email', 'uuid'] as const;
export type Identifier = (typeof identifiers)[number] | { readonly property: string };

export interface AmplitudeProject {
  readonly app_id: number;
  readonly owner: string;
}

interface Basic {
  readonly user: string;
  readonly password: string;
}

interface Header {
  readonly header: string;
  readonly value: string;
}

/** The proof that messages may come in at the receiver. */
export type Credentials = Basic | Header;

export const credentialKinds = ['basic', 'header'] as const;
export type CredentialKind = (typeof credentialKinds)[number];

/** The settings of a webhook whose receiver has a format of its own for members of cohorts. */
export interface DestinationSettings {
  readonly format: WebhookFormat;
  readonly identifier: Identifier | null;
  readonly properties: readonly string[];
  readonly amplitude: AmplitudeProject | null;
  readonly credentials: Credentials | null;
}

/** The settings as a body has them. */
export interface GivenSettings {
  readonly format?: WebhookFormat | null;
  readonly identifier?: unknown;
  readonly properties?: readonly string[] | null;
  readonly amplitude?: unknown;
  readonly credentials?: unknown;
}

export const maxProperties = 50;
const maxKey = 400;
const maxSecret = 2000;

const key = { type: 'string', minLength: 1, maxLength: maxKey };
const secret = { type: 'string', maxLength: maxSecret };
const record = (properties: Record<string, object>) => ({
  type: 'object' as const,
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
});

export const identifierSchema = { oneOf: [{ type: 'string', enum: [...identifiers] }, record({ property: key })] };
export const amplitudeSchema = record({ app_id: { type: 'integer', minimum: 1 }, owner: key });
export const credentialsSchema = {
  oneOf: [
    record({ user: secret, password: secret }),
    record({ header: key, value: secret }),
    { type: 'string', enum: [...credentialKinds] },
  ],
};

const isRecordOf = (value: unknown, ...keys: readonly string[]): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length === keys.length &&
  keys.every((name) => Object.hasOwn(value, name));

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length <= max && !value.includes('\0');

const readIdentifier = (value: unknown): Identifier => {
  const named = identifiers.find((one) => one === value);
  if (named) return named;
  if (isRecordOf(value, 'property') && isText(value.property, maxKey) && value.property !== '')
    return { property: value.property };
  throw invalidInput(
    `identifier must be one of ${identifiers.join(', ')}, or the key of a property such as {"property": "crm_id"}`,
    'identifier',
  );
};

const readAmplitude = (value: unknown): AmplitudeProject => {
  if (isRecordOf(value, 'app_id', 'owner')) {
    const { app_id: id, owner } = value;
    if (Number.isSafeInteger(id) && Number(id) > 0 && isText(owner, maxKey) && owner !== '')
      return { app_id: Number(id), owner };
  }
  throw invalidInput(
    'amplitude must have the project and the owner of its cohorts, such as {"app_id": 153957, "owner": "ada@example.com"}',
    'amplitude',
  );
};

/** Headers that the service sets itself, or that would change how the request is read. */
const reserved =
  /^(host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-.*|accept-encoding|user-agent|proxy-.*|webhook-.*)$/i;
const printable = /^[\x20-\x7e]*$/;

const readCredentials = (value: unknown): Credentials => {
  if (isRecordOf(value, 'user', 'password')) {
    const { user, password } = value;
    if (isText(user, maxSecret) && isText(password, maxSecret) && !user.includes(':')) return { user, password };
  }
  if (isRecordOf(value, 'header', 'value')) {
    const { header, value: text } = value;
    const isHeader = isText(header, 100) && /^[a-z0-9-]+$/i.test(header) && !reserved.test(header);
    if (isHeader && isText(text, maxSecret) && printable.test(text)) return { header, value: text };
  }
  // The refusal does not repeat what was sent, because that may be a secret.
  throw invalidInput(
    'credentials must be {"user", "password"} for basic authentication, with no colon in the user, or {"header", "value"} for a ' +
      'header that the service does not set itself, such as {"header": "Authorization", "value": "Bearer …"}',
    'credentials',
  );
};

export const credentialKind = (credentials: Credentials | null): CredentialKind | null =>
  credentials && ('user' in credentials ? 'basic' : 'header');

export const credentialHeaders = (credentials: Credentials | null): Readonly<Record<string, string>> => {
  if (credentials === null) return {};
  if ('header' in credentials) return { [credentials.header.toLowerCase()]: credentials.value };
  const pair = Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64');
  return { authorization: `Basic ${pair}` };
};

/** The kind, as it is shown, stands for the credentials that are stored. */
const credentialsAfter = (given: unknown, before: Credentials | null): Credentials | null => {
  if (given === undefined || (before !== null && given === credentialKind(before))) return before;
  return given === null ? null : readCredentials(given);
};

const none: DestinationSettings = {
  format: 'standard',
  identifier: null,
  properties: [],
  amplitude: null,
  credentials: null,
};

/** Returns the settings after a request, and refuses what does not go together. */
export const readDestination = (given: GivenSettings, before: DestinationSettings | null): DestinationSettings => {
  const old = before ?? none;
  const format = given.format ?? old.format;
  if (before && format !== before.format)
    throw invalidInput(`format cannot be changed: make another webhook with the format ${format}`, 'format');
  const properties = given.properties ?? old.properties;
  const credentials = credentialsAfter(given.credentials, old.credentials);
  if (format === 'standard') {
    const needless = (['identifier', 'amplitude'] as const).find((name) => (given[name] ?? null) !== null);
    const name = needless ?? (properties.length > 0 ? 'properties' : null);
    if (name) throw invalidInput(`${name} must be left out for the format standard, which sends ids of persons`, name);
    return { ...none, credentials };
  }
  const identifier = readIdentifier(given.identifier ?? old.identifier ?? 'distinct_id');
  if (format !== 'amplitude') {
    if ((given.amplitude ?? null) !== null)
      throw invalidInput('amplitude must be left out for another format', 'amplitude');
    return { format, identifier, properties, amplitude: null, credentials };
  }
  if (properties.length > 0)
    throw invalidInput('properties must be left out: the format amplitude has no room for them', 'properties');
  const amplitude = given.amplitude ?? old.amplitude;
  if (!amplitude) throw required('amplitude');
  return { format, identifier, properties, amplitude: readAmplitude(amplitude), credentials };
};
