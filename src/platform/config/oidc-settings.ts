import { type Setting, SettingError } from './setting.js';

/** The issuer is compared with what the provider says it is, so it has nothing but scheme, host and path. */
export const issuerUrl = (doc: string): Setting<URL | null> => ({
  doc,
  example: '',
  parse: (text) => {
    if (text === undefined) return null;
    const parsed = URL.canParse(text) ? new URL(text) : null;
    if (!parsed || !/^https?:$/.test(parsed.protocol) || !parsed.hostname) {
      throw new SettingError('must be a URL that begins with https:// or http://');
    }
    if (parsed.search || parsed.hash || parsed.username || parsed.password) {
      throw new SettingError('must be a URL without parameters, fragment and password');
    }
    return parsed;
  },
});

const domainShape = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

export const emailDomains = (doc: string): Setting<readonly string[] | '*' | null> => ({
  doc,
  example: '',
  parse: (text) => {
    if (text === undefined) return null;
    if (text === '*') return '*';
    const names = text.split(',').map((name) => name.trim().toLowerCase());
    if (!names.every((name) => domainShape.test(name))) {
      throw new SettingError('must be domains with commas between, such as "example.com, example.org", or *');
    }
    return names;
  },
});

export const projectIdList = (doc: string): Setting<readonly number[]> => ({
  doc,
  example: '',
  parse: (text) => {
    if (text === undefined) return [];
    const ids = text.split(',').map((id) => id.trim());
    if (!ids.every((id) => /^[1-9]\d{0,8}$/.test(id))) {
      throw new SettingError('must be ids of projects with commas between, such as "1, 2"');
    }
    return [...new Set(ids.map(Number))];
  },
});
