import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type ProjectRole } from '../../src/kernel/access/roles.js';
import { type Answer, type CallOptions, type ServiceHandle } from './service-handle.js';

export interface NewUser {
  readonly email?: string;
  readonly isOwner?: boolean;
  /** The role in each project. */
  readonly roles?: Readonly<Record<number, ProjectRole>>;
}

type Method = Parameters<ServiceHandle['call']>[0];

/** A browser with the session of one user: it sends the cookie, and says that its requests come from the same origin. */
export class Browser {
  constructor(
    private readonly service: ServiceHandle,
    readonly userId: number,
    readonly email: string,
    /** `name=value`, as the browser sends it. */
    readonly cookie: string,
  ) {}

  call(method: Method, path: string, { headers, ...options }: CallOptions = {}): Promise<Answer> {
    const own = { cookie: this.cookie, 'sec-fetch-site': 'same-origin', ...headers };
    return this.service.call(method, path, { key: null, ...options, headers: own });
  }
}

export const cookieOf = (answer: Answer): string => {
  const set = answer.headers['set-cookie'] as unknown as string[] | undefined;
  return set?.at(-1)?.split(';', 1)[0] ?? '';
};

export const makeUser = async ({ pool }: ServiceHandle, user: NewUser = {}): Promise<{ id: number; email: string }> => {
  const { email = `${randomUUID()}@example.test`, isOwner = false, roles = {} } = user;
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO users (uuid, distinct_id, first_name, last_name, email, is_email_verified, hedgehog_config, created_at, is_owner)
     VALUES ($1, $2, 'Test', 'User', $3, false, '{}', now(), $4) RETURNING id`,
    [randomUUID(), randomUUID(), email, isOwner],
  );
  const id = rows[0]?.id ?? 0;
  for (const [project, role] of Object.entries(roles))
    await pool.query(`INSERT INTO project_members (project_id, user_id, role, joined_at) VALUES ($1, $2, $3, now())`, [
      Number(project),
      id,
      role,
    ]);
  return { id, email };
};

/** Writes a link as the first start makes one, and returns its token: signing in by it hashes no password. */
export const makeLink = async (
  { pool }: ServiceHandle,
  userId: number,
  purpose: 'sign_in' | 'set_password' = 'sign_in',
): Promise<string> => {
  const token = randomBytes(32).toString('base64url');
  await pool.query(
    `INSERT INTO one_time_links (id, user_id, purpose, digest, created_at, expires_at)
     VALUES ($1, $2, $3, $4, now(), now() + interval '10 minutes')`,
    [randomUUID(), userId, purpose, createHash('sha256').update(token).digest()],
  );
  return token;
};

/** Signs a user in by a link. */
export const openSession = async (service: ServiceHandle, user: { id: number; email: string }): Promise<Browser> => {
  const body = { link_token: await makeLink(service, user.id) };
  const answer = await service.call('POST', '/api/sessions', { key: null, body });
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return new Browser(service, user.id, user.email, cookieOf(answer));
};

/** Makes a user and signs it in. */
export const signedIn = async (service: ServiceHandle, user: NewUser = {}): Promise<Browser> =>
  openSession(service, await makeUser(service, user));

/** True if the OpenAPI document lets only signed-in users send the operation. */
export const isOnlyForSessions = ({ security = [] }: { readonly security?: readonly object[] }): boolean =>
  security.length > 0 && security.every((way) => 'session' in way);
