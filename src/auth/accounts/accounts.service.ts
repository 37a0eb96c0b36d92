import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type Caller } from '../../kernel/access/caller.js';
import { type Author, type Requester } from '../../kernel/access/author.js';
import { conflict, notFound, permissionDenied } from '../../platform/errors/problem.js';
import { assertUnchanged } from '../../platform/http/read-only-fields.js';
import { readSmallId } from '../../platform/values/ids.js';
import { type PageQuery, type Slice } from '../../platform/http/page.dto.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { lockMaker } from '../keys/key-creations.js';
import { revokeBeyondRights, revokeKeysOf } from '../keys/key-revocation.js';
import { linkOf, OneTimeLinks } from '../links/one-time-links.js';
import { recordMember } from '../members/member-activity.js';
import { deleteMemberships } from '../members/members.repository.js';
import { SessionsService } from '../sessions/sessions.service.js';
import {
  type UserAccount,
  deleteUser,
  findAccount,
  insertUser,
  lockAccount,
  lockOwners,
  updateUser,
} from '../users/users.repository.js';
import { fieldChange, recordUser } from '../users/user-activity.js';
import {
  type AccountDto,
  type CreateAccountBody,
  type NewAccountDto,
  type PasswordLinkDto,
  type UpdateAccountBody,
} from './account.dto.js';
import { accountById, accountsOf } from './accounts.repository.js';

/** Manages the users of the installation for its owners. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly postgres: Postgres,
    private readonly links: OneTimeLinks,
    private readonly sessions: SessionsService,
  ) {}

  list(page: PageQuery): Promise<Slice<AccountDto>> {
    return accountsOf(this.postgres, page);
  }

  async get(idText: string): Promise<AccountDto> {
    return requireAccount(idText, await accountById(this.postgres, readSmallId(idText) ?? 0));
  }

  create(body: CreateAccountBody, author: Requester, origin: string): Promise<NewAccountDto> {
    return this.postgres.transaction(async (client) => {
      if (await findAccount(client, body.email)) throw conflict('A user has this e-mail already', 'email');
      await lockMaker(client, author);
      const user = {
        ...{ email: body.email, isOwner: body.is_owner ?? false, madeByKey: author.keyId },
        ...{ firstName: body.first_name ?? undefined, lastName: body.last_name ?? undefined },
      };
      const id = await insertUser(client, user, author.now);
      await recordUser(client, id, 'created', user.isOwner ? [fieldChange('is_owner', false, true)] : [], author);
      const link = await this.linkIn(client, id, author, origin);
      return { ...requireAccount(String(id), await accountById(client, id)), ...link };
    });
  }

  update(idText: string, body: UpdateAccountBody, author: Requester): Promise<AccountDto> {
    return this.change(idText, async (client, before, owners) => {
      const account = requireAccount(idText, await accountById(client, before.id));
      assertUnchanged(body, account);
      const changes = [
        ...(isNew(body.first_name, account.first_name) ? [fieldChange('first_name')] : []),
        ...(isNew(body.last_name, account.last_name) ? [fieldChange('last_name')] : []),
        ...(isNew(body.is_owner, account.is_owner) ? [fieldChange('is_owner', account.is_owner, body.is_owner)] : []),
      ];
      if (body.is_owner === false) refuseLast(owners, before.id);
      const becomesOwner = !account.is_owner && body.is_owner === true;
      if (becomesOwner) await lockMaker(client, author);
      await updateUser(client, before.id, {
        firstName: body.first_name ?? undefined,
        lastName: body.last_name ?? undefined,
        isOwner: body.is_owner ?? undefined,
        madeByKey: becomesOwner ? (author.keyId ?? undefined) : undefined,
      });
      await recordUser(client, before.id, 'updated', changes, author);
      if (account.is_owner && body.is_owner === false) await revokeBeyondRights(client, before.id, author);
      return requireAccount(idText, await accountById(client, before.id));
    });
  }

  /**
   * Removes a user. The user's sessions, keys, links, roles and sent invitations end at once; everything else that the user has
   * made stays.
   */
  remove({ userId }: Caller, idText: string, author: Author): Promise<void> {
    return this.change(idText, async (client, { id }, owners) => {
      if (id === userId) throw conflict('You cannot delete your own account; ask another owner');
      refuseLast(owners, id);
      await this.sessions.endAllIn(client, id, null, author);
      await revokeKeysOf(client, id, author);
      for (const { project_id: projectId, role } of await deleteMemberships(client, id))
        await recordMember(client, projectId, id, { before: role, after: null }, author);
      await deleteUser(client, id);
      await recordUser(client, id, 'deleted', [], author);
    });
  }

  /** Makes a link to set a password. An earlier link of the user no longer works. */
  passwordLink(idText: string, author: Requester, origin: string): Promise<PasswordLinkDto> {
    return this.change(idText, (client, { id }) => this.linkIn(client, id, author, origin));
  }

  private async linkIn(
    client: ClientBase,
    userId: number,
    author: Requester,
    origin: string,
  ): Promise<PasswordLinkDto> {
    await lockMaker(client, author);
    const { token, expiresAt } = await this.links.makeIn(client, userId, 'set_password', author);
    return { link: linkOf(origin, 'invitation', token), link_expires_at: expiresAt.toISOString() };
  }

  /** Does `work` on a user. The owners are locked before the user, so that no two changes wait for each other. */
  private change<T>(
    idText: string,
    work: (client: ClientBase, account: UserAccount, owners: readonly number[]) => Promise<T>,
  ): Promise<T> {
    return this.postgres.transaction(async (client) => {
      const owners = await lockOwners(client);
      return work(client, requireAccount(idText, await lockAccount(client, readSmallId(idText) ?? 0)), owners);
    });
  }
}

/** Refuses a key that is limited to projects. It may hold `*`, but must not manage the installation. */
export const assertInstallation = ({ projectIds }: Caller): void => {
  if (projectIds === null) return;
  throw permissionDenied('This key is limited to certain projects; only a key for all projects manages users');
};

const isNew = <T>(sent: T | null | undefined, stored: T): boolean =>
  sent !== undefined && sent !== null && sent !== stored;

const refuseLast = (owners: readonly number[], id: number): void => {
  if (owners.length !== 1 || owners[0] !== id) return;
  throw conflict('The last owner of the installation stays: make another user an owner first', 'is_owner');
};

const requireAccount = <T>(idText: string, account: T | null): T => {
  if (!account) throw notFound(`there is no user ${idText}${idText === 'me' ? ': did you mean @me?' : ''}`);
  return account;
};

export const accountIdOf = (idText: string): number => requireAccount(idText, readSmallId(idText));
