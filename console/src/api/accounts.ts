import { answer } from './client';
import { type Schemas } from './types';

/** The signed-in user, or the user of the key. */
export type Me = Schemas['MeDto'];
export type Member = Schemas['MemberDto'];
export type ProjectRole = Member['role'];
export type Account = Schemas['AccountDto'];
export type Key = Schemas['KeyDto'];
export type PasswordLink = Schemas['PasswordLinkDto'];

export const personName = ({
  first_name,
  last_name,
  email,
}: Pick<Member['user'], 'first_name' | 'last_name' | 'email'>): string => `${first_name} ${last_name}`.trim() || email;

/** The signed-in user. */
export const accountQuery = { ...answer('/api/users/@me'), staleTime: 60_000 };

/** The projects that the user may open. */
export const projectsQuery = { ...answer('/api/projects', { query: { limit: 100 } }), staleTime: 60_000 };

export const projectQuery = (projectId: string) => ({
  ...answer('/api/projects/{project_id}', { path: { project_id: projectId } }),
  staleTime: 60_000,
});

/** Public facts about the service: its version, and the provider of single sign-on. */
export const consoleQuery = { ...answer('/api/console'), staleTime: Infinity };
