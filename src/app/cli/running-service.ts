import { type Scope } from '../../kernel/access/scopes.js';
import { patiently } from '../../platform/http/patiently.js';
import { CommandRefused, type CommandContext } from './command.js';
import { keysService } from './commands/keys.js';

/** The running service refused a request of the command. */
export class ServiceRefused extends CommandRefused {}

/** Sends requests to the running service. A refusal of the service refuses the command. */
export type AskService = (path: string, init?: ServiceRequest) => Promise<Response>;

type ServiceRequest = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

interface Access {
  readonly project: number;
  readonly scopes: readonly Scope[];
  /** Names the command in the label of its key. */
  readonly command: string;
  /** The lifetime of the key, for a command that is killed and cannot revoke it. */
  readonly minutes: number;
  /** Sends a request again while the service is busy. For a command whose many requests meet the limit of the rate. */
  readonly isPatient?: boolean;
}

/**
 * Lets a command ask the running service over HTTP, because only one process can open the embedded engine. The command gets a
 * key with the scopes that it needs, which is revoked when it ends.
 */
export const withService = async <T>(
  context: CommandContext,
  { project, scopes, command, minutes, isPatient = false }: Access,
  work: (ask: AskService) => Promise<T>,
): Promise<T> => {
  const keys = await keysService(context);
  const [known] = await keys.all();
  if (!known) throw new CommandRefused('there is no user yet: use "bootstrap" or "key create" first');
  const now = new Date();
  const expiresAt = new Date(now.getTime() + minutes * 60_000);
  const grant = { scopes: [...scopes], projectIds: [project], expiresAt };
  const key = await keys.create({ ...grant, userId: known.user_id, label: `npm run cli -- ${command}` }, now);
  try {
    const send = isPatient ? patiently : (once: () => Promise<Response>) => once();
    return await work((path, init) => ask(context, key.value ?? '', path, init, send));
  } finally {
    await keys.revokeByOperator(key.id, 'revoke', new Date());
  }
};

const everyAddress = ['0.0.0.0', '::'];

const ask = async (
  { config }: CommandContext,
  key: string,
  path: string,
  init: ServiceRequest = {},
  sending: typeof patiently,
) => {
  const host = everyAddress.includes(config.host) ? 'localhost' : config.host;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'accept-encoding': 'identity' };
  const send = () =>
    fetch(url + path, { ...init, headers: { ...headers, ...init.headers } }).catch(() => {
      throw new CommandRefused(`no service answers on ${url}: start it first, with the same PORT`);
    });
  const answer = await sending(send);
  if (answer.ok) return answer;
  const { detail } = (await answer.json().catch(() => ({}))) as { detail?: string };
  throw new ServiceRefused(detail ?? `${url} answered ${answer.status}`);
};
