import { SettingError, type Setting } from './setting.js';

/** The parameter that keeps the further servers of a database URL, because `URL` takes only one host. */
const further = 'hosts';

const rule =
  'must be a URL that begins with postgres:// or postgresql://, with one host or several with commas between them';

const writable = ['read-write', 'primary'];

/** Takes several hosts, as libpq does: `postgres://user:password@db1:5432,db2:5432/name`. */
export const databaseUrl = (doc: string): Setting<URL | null> => ({
  doc,
  example: '',
  parse: (text) => {
    if (text === undefined) return null;
    const [, before, hosts = '', after = ''] =
      /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]+)([/?#].*)?$/s.exec(text) ?? [];
    const urls = hosts.split(',').map((host) => parsed(`${before}${host}${after}`));
    const [url] = urls;
    if (!url || urls.some((each) => !each?.hostname)) throw new SettingError(rule);
    const attributes = url.searchParams.get('target_session_attrs');
    if (attributes !== null && !writable.includes(attributes))
      throw new SettingError(
        'must leave target_session_attrs out: the service always takes the server that takes writes',
      );
    url.searchParams.delete('target_session_attrs');
    url.searchParams.delete(further);
    if (urls.length > 1)
      url.searchParams.set(
        further,
        urls
          .slice(1)
          .map((each) => each?.host)
          .join(','),
      );
    return url;
  },
});

const parsed = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

/** The URL of each server of the database. */
export const serversOf = (url: URL): readonly [URL, ...URL[]] => {
  const others = url.searchParams.get(further);
  const first = new URL(url);
  first.searchParams.delete(further);
  return [first, ...(others?.split(',') ?? []).map((host) => withHost(first, host))];
};

const withHost = (url: URL, host: string): URL => {
  const copy = new URL(url);
  // `URL` keeps the port of the former host where the new one has none.
  copy.port = '';
  copy.host = host;
  return copy;
};

const secrets = ['password', 'sslpassword'];

/** The URL as it was written, with `***` in place of passwords. */
export const withoutPassword = (url: URL): string => {
  const shown = new URL(url);
  if (shown.password !== '') shown.password = '***';
  for (const name of secrets) if (shown.searchParams.has(name)) shown.searchParams.set(name, '***');
  const others = shown.searchParams.get(further);
  shown.searchParams.delete(further);
  return others === null ? shown.href : shown.href.replace(shown.host, `${shown.host},${others}`);
};
