import { type User } from './types';

export const projectRoles = ['viewer', 'member', 'admin'] as const;

export type ProjectRole = (typeof projectRoles)[number];

/** The signed-in user, or the user of the key. */
export interface Me extends User {
  readonly is_owner: boolean;
  readonly has_password: boolean;
}

export interface MemberUser {
  readonly id: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
}

export interface Member {
  readonly user: MemberUser;
  readonly role: ProjectRole;
  readonly joined_at: string;
}

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: ProjectRole;
  readonly created_at: string;
  readonly expires_at: string;
}

export interface NewInvitation extends Invitation {
  readonly link: string | null;
}

export interface Account extends MemberUser {
  readonly is_owner: boolean;
  readonly has_password: boolean;
  readonly project_count: number;
  readonly created_at: string;
}

export interface PasswordLink {
  readonly link: string | null;
  readonly link_expires_at: string | null;
}

export interface Session {
  readonly id: string;
  readonly created_at: string;
  readonly last_seen_at: string;
  readonly expires_at: string;
  readonly address: string;
  readonly user_agent: string;
  readonly is_current: boolean;
}

export const personName = ({ first_name, last_name, email }: Omit<MemberUser, 'id'>): string =>
  `${first_name} ${last_name}`.trim() || email;
