import { type KeyDto } from '../../../auth/keys/key.dto.js';
import { type Children } from '../../../auth/keys/key-revocation.js';
import { grantableScopes, type GrantedScope } from '../../../kernel/access/scopes.js';
import { readSmallId } from '../../../platform/values/ids.js';
import {
  CommandRefused,
  UsageError,
  requireFlag,
  type Command,
  type CommandContext,
  type Flags,
  type GivenWords,
} from '../command.js';

export const keysService = async ({ get }: CommandContext) => {
  const { KeysService } = await import('../../../auth/keys/keys.service.js');
  return get(KeysService);
};

const keyRow = ({
  id,
  label,
  mask_value,
  user_id,
  user_email,
  scopes,
  scoped_projects,
  created_by_key_id,
  expires_at,
  last_used_at,
}: KeyDto & { readonly user_email: string }) => ({
  id,
  label,
  mask_value,
  user_id,
  user_email,
  scopes,
  scoped_projects,
  created_by_key_id,
  expires_at,
  last_used_at,
});

/** A key without a list of projects opens all of them, also future ones. */
const nullMeans = { scoped_projects: 'all' };

export const keyCreate: Command = {
  name: 'key create',
  usage:
    'key create --email you@example.com --label ci --scopes person:read,cohort:write [--projects 1,2] [--expires 2030-01-01]',
  summary: 'create a key, and the user when the e-mail is new',
  options: {
    email: { value: 'E-MAIL', about: 'the user to whom the key belongs' },
    label: { value: 'TEXT', about: 'what the key is for' },
    scopes: { value: 'LIST', about: 'what the key may do, such as person:read,cohort:write; * is everything' },
    projects: { value: 'LIST', about: 'ids of the projects that the key opens; without it, all' },
    expires: { value: 'DATE', about: 'the end of the key, such as 2030-01-01; without it, none' },
  },
  nullMeans,
  check: ({ flags }) => void newKeyOf(flags),
  run: async (context) => {
    const { email, ...terms } = newKeyOf(context.flags);
    const now = new Date();
    const { UsersService } = await import('../../../auth/users/users.service.js');
    const user = await (await context.get(UsersService)).getOrCreate(email, now);
    const key = await (await keysService(context)).create({ ...terms, userId: user.id }, now);
    return { key: key.value, ...keyRow({ ...key, user_email: user.email }) };
  },
};

export const keyList: Command = {
  name: 'key list',
  usage: 'key list',
  summary: 'list all keys with their users, without the text of the keys',
  options: {},
  nullMeans,
  run: async (context) => (await (await keysService(context)).all()).map(keyRow),
};

export const keyRevoke: Command = {
  name: 'key revoke',
  usage: 'key revoke <id> [--children keep]',
  summary: 'revoke a key at once, with the keys it made unless --children keep is set',
  arguments: 1,
  options: { children: { value: 'keep', about: 'leave the keys that this key has made' } },
  check: (given) => void revocationOf(given),
  run: async (context) => {
    const { id, children } = revocationOf(context);
    const revoked = await (await keysService(context)).revokeByOperator(id, children, new Date());
    if (revoked.length === 0) throw new CommandRefused(`no key has the id ${id}`);
    return { revoked: id, revoked_with_it: revoked.filter((other) => other !== id) };
  },
};

const newKeyOf = (flags: Flags) => ({
  scopes: scopesOf(flags),
  projectIds: projectIdsOf(flags),
  expiresAt: expiryOf(flags),
  label: requireFlag(flags, 'label'),
  email: requireFlag(flags, 'email'),
});

const childrenChoices: readonly Children[] = ['revoke', 'keep'];

const revocationOf = ({ args: [id], flags }: GivenWords): { id: string; children: Children } => {
  if (!id) throw new UsageError('name the id of the key, as "key list" shows it');
  const children = childrenChoices.find((choice) => choice === (flags.children ?? 'revoke'));
  if (!children) throw new UsageError(`--children: ${flags.children} is not one of ${childrenChoices.join(', ')}`);
  return { id, children };
};

const scopesOf = (flags: Flags): GrantedScope[] =>
  requireFlag(flags, 'scopes')
    .split(',')
    .map((text) => {
      const scope = grantableScopes.find((known) => known === text.trim());
      if (!scope) throw new UsageError(`--scopes: ${text} is not one of ${grantableScopes.join(', ')}`);
      return scope;
    });

const projectIdsOf = (flags: Flags): number[] | null => {
  if (!flags.projects) return null;
  return flags.projects.split(',').map((text) => {
    const id = readSmallId(text.trim());
    if (id === null) throw new UsageError(`--projects: ${text} is not a project id`);
    return id;
  });
};

const expiryOf = (flags: Flags): Date | null => {
  if (!flags.expires) return null;
  const date = new Date(flags.expires);
  if (Number.isNaN(date.getTime()) || date <= new Date())
    throw new UsageError('--expires must be an ISO date in the future');
  return date;
};
