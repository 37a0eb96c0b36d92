import { type Key } from '../../../api/accounts';

/** The scopes that a key may have; `*` is everything. A scope that ends in `:write` includes reading. */
export const keyScopes = [
  { name: 'person', label: 'Persons', levels: ['read', 'write'] },
  { name: 'cohort', label: 'Cohorts', levels: ['read', 'write'] },
  { name: 'action', label: 'Actions', levels: ['read', 'write'] },
  { name: 'webhook', label: 'Webhooks', levels: ['read', 'write'] },
  { name: 'insight', label: 'Saved insights and dashboards', levels: ['read', 'write'] },
  { name: 'event', label: 'Events', levels: ['read'] },
  { name: 'query', label: 'Questions, also in SQL', levels: ['read'] },
  { name: 'activity_log', label: 'Log of activity', levels: ['read'] },
  { name: 'project', label: 'Project, members and catalogue', levels: ['read', 'write'] },
  { name: 'api_key', label: 'Keys', levels: ['read', 'write'] },
] as const;

export type Level = 'none' | 'read' | 'write';

export type Levels = Readonly<Record<string, Level>>;

export const scopesOf = (levels: Levels): Key['scopes'] =>
  keyScopes.flatMap(({ name, levels: possible }) => {
    const level = possible.find((one) => one === levels[name]);
    return level === undefined ? [] : [`${name}:${level}` as Key['scopes'][number]];
  });
