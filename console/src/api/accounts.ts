import { type components } from './schema';

type Schemas = components['schemas'];

export const projectRoles = ['viewer', 'member', 'admin'] as const;

export type ProjectRole = (typeof projectRoles)[number];

/** The signed-in user, or the user of the key. */
export type Me = Schemas['MeDto'];
export type MemberUser = Schemas['MemberUserDto'];
export type Member = Schemas['MemberDto'];
export type Invitation = Schemas['InvitationDto'];
export type NewInvitation = Schemas['NewInvitationDto'];
export type Account = Schemas['AccountDto'];
export type PasswordLink = Schemas['PasswordLinkDto'];
export type Session = Schemas['SessionDto'];

export const personName = ({
  first_name,
  last_name,
  email,
}: Pick<MemberUser, 'first_name' | 'last_name' | 'email'>): string => `${first_name} ${last_name}`.trim() || email;
