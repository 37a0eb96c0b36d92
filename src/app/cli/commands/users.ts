import { CommandRefused, requireFlag, type Command, type CommandContext, type GivenWords } from '../command.js';
import { newUserEmail } from '../email-flag.js';
import { consoleUrlOption, linkFor, consoleOrigin } from '../one-time-link.js';

const usersService = async ({ get }: CommandContext) => {
  const { UsersService } = await import('../../../auth/users/users.service.js');
  return get(UsersService);
};

const invitedAddress = ({ config, flags }: GivenWords): string => {
  const address = newUserEmail(requireFlag(flags, 'email'));
  if (!config.console) throw new CommandRefused('CONSOLE=off: no user can sign in');
  return address;
};

export const userList: Command = {
  name: 'user list',
  usage: 'user list',
  summary: 'list all users: who owns the installation, and in how many projects each other has a role',
  options: {},
  nullMeans: { projects: 'all' },
  run: async ({ database }) => {
    const { everyAccount } = await import('../../../auth/accounts/accounts.repository.js');
    const accounts = await everyAccount(database.postgres);
    return accounts.map(({ id, email, first_name, last_name, is_owner, project_count, created_at }) => ({
      id,
      email,
      name: `${first_name} ${last_name}`.trim() || null,
      is_owner,
      // An owner may do everything in all projects, also in future ones.
      projects: is_owner ? null : project_count,
      created_at,
    }));
  },
};

const email = { value: 'E-MAIL', about: 'the e-mail of the user' };

export const userInvite: Command = {
  name: 'user invite',
  usage: 'user invite --email you@example.com [--owner] [--url https://kohort.example.com]',
  summary: 'create a user, and print a link by which the user sets a password, once and within 7 days',
  options: {
    email,
    owner: { value: null, about: 'the user owns the installation: may do everything, and manages users' },
    url: consoleUrlOption,
  },
  check: (given) => void invitedAddress(given),
  run: async (context) => {
    const [users, now] = [await usersService(context), new Date()];
    const user = await users.getOrCreate(invitedAddress(context), now);
    if (context.flags.owner) await users.makeOwner(user.id, now);
    return { id: user.id, email: user.email, ...(await linkFor(context, user.id, 'set_password')) };
  },
};

export const userResetPassword: Command = {
  name: 'user reset-password',
  usage: 'user reset-password --email you@example.com [--url https://kohort.example.com]',
  summary: 'print a link by which a user sets a new password; it ends all sessions of the user once it is used',
  options: { email, url: consoleUrlOption },
  check: ({ flags }) => void requireFlag(flags, 'email'),
  run: async (context) => {
    const address = requireFlag(context.flags, 'email');
    const user = await (await usersService(context)).findByEmail(address);
    if (!user) throw new CommandRefused(`no user has the e-mail ${address}`);
    return { id: user.id, email: user.email, ...(await linkFor(context, user.id, 'set_password')) };
  },
};

export const userSignInLink: Command = {
  name: 'user sign-in-link',
  usage: 'user sign-in-link [--email you@example.com] [--url https://kohort.example.com]',
  summary: 'print a link that signs a user in without a password, once and within 10 minutes',
  options: {
    email: { value: 'E-MAIL', about: 'the e-mail of the user; without it, the first owner of the installation' },
    url: consoleUrlOption,
  },
  check: ({ config, flags }) => {
    if (!config.console) throw new CommandRefused('CONSOLE=off: no user can sign in');
    consoleOrigin({ config, flags });
  },
  run: async (context) => {
    const { email: address } = context.flags;
    const users = await usersService(context);
    const user = await (address === undefined ? users.firstOwner() : users.findByEmail(address));
    if (!user && address === undefined) throw new CommandRefused('there is no owner yet: use "bootstrap" first');
    if (!user) throw new CommandRefused(`no user has the e-mail ${address}`);
    return { id: user.id, email: user.email, ...(await linkFor(context, user.id, 'sign_in')) };
  },
};

export const userDisconnect: Command = {
  name: 'user disconnect',
  usage: 'user disconnect --email you@example.com',
  summary: 'forget the accounts of a user at providers of single sign-on, so that another account can be connected',
  options: { email },
  check: ({ flags }) => void requireFlag(flags, 'email'),
  run: async (context) => {
    const address = requireFlag(context.flags, 'email');
    const users = await usersService(context);
    const user = await users.findByEmail(address);
    if (!user) throw new CommandRefused(`no user has the e-mail ${address}`);
    return { id: user.id, email: user.email, disconnected: await users.disconnect(user.id, new Date()) };
  },
};
