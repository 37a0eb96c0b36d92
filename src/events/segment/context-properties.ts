import { put } from '../../platform/values/json.js';
import { isRecord } from '../../kernel/event-log/normalise/json.js';

type Fields = Record<string, unknown>;
type Names = Readonly<Record<string, string>>;

/** The reference product gives this type to the groups of Segment's `group` messages. */
export const groupType = 'segment_group';

const pageNames: Names = { url: '$current_url', path: '$pathname', referrer: '$referrer', title: 'title' };

/** The names that the SDKs of the reference product give to the fields of `context`. */
const ownNames: Names = {
  ip: '$ip',
  userAgent: '$raw_user_agent',
  locale: '$locale',
  timezone: '$timezone',
};
const objectNames: Readonly<Record<string, Names>> = {
  app: { name: '$app_name', version: '$app_version', build: '$app_build', namespace: '$app_namespace' },
  campaign: {
    name: 'utm_campaign',
    source: 'utm_source',
    medium: 'utm_medium',
    term: 'utm_term',
    content: 'utm_content',
  },
  device: {
    id: '$device_id',
    manufacturer: '$device_manufacturer',
    model: '$device_model',
    name: '$device_name',
    type: '$device_type',
  },
  library: { name: '$lib', version: '$lib_version' },
  location: {
    city: '$geoip_city_name',
    country: '$geoip_country_name',
    latitude: '$geoip_latitude',
    longitude: '$geoip_longitude',
  },
  network: {
    bluetooth: '$network_bluetooth',
    carrier: '$network_carrier',
    cellular: '$network_cellular',
    wifi: '$network_wifi',
  },
  os: { name: '$os', version: '$os_version' },
  page: pageNames,
  screen: { width: '$screen_width', height: '$screen_height' },
};

/** Returns the properties for a context. Fields without a counterpart are kept together in `$context`. */
export const contextProperties = (context: Fields): Fields => {
  const properties: Fields = {};
  const { groupId, ...fields } = context;
  const rest = rename(fields, ownNames, properties);
  for (const key of Object.keys(rest)) {
    const value = rest[key];
    const names = nameIn(objectNames, key);
    if (names === undefined || !isRecord(value)) continue;
    const remaining = rename(value, names, properties);
    if (Object.keys(remaining).length === 0) delete rest[key];
    else put<unknown>(rest, key, remaining);
  }
  if (groupId !== undefined && groupId !== null) properties.$groups = { [groupType]: groupId };
  if (Object.keys(rest).length > 0) properties.$context = rest;
  return withHosts(properties);
};

/** Returns the properties of a page, which contain its address under the same names as a context. */
export const pageProperties = (properties: Fields): Fields => {
  const renamed: Fields = {};
  rename(properties, pageNames, renamed);
  return withHosts(renamed);
};

/** Writes the fields that have a name into `target` and returns the others. Nulls are dropped. */
const rename = (fields: Fields, names: Names, target: Fields): Fields => {
  const rest: Fields = {};
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (value === undefined || value === null) continue;
    const name = nameIn(names, key);
    if (name === undefined) put<unknown>(rest, key, value);
    else target[name] = value;
  }
  return rest;
};

const withHosts = (properties: Fields): Fields => {
  const host = hostOf(properties.$current_url);
  const referring = hostOf(properties.$referrer);
  if (host !== null) properties.$host = host;
  if (referring !== null) properties.$referring_domain = referring;
  return properties;
};

const hostOf = (address: unknown): string | null => {
  if (typeof address !== 'string' || !URL.canParse(address)) return null;
  return new URL(address).host || null;
};

const nameIn = <T>(names: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(names, key) ? names[key] : undefined;
