import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { recordActivity } from '../../kernel/activity/record-activity.js';
import { type Author, type Requester } from '../../kernel/access/author.js';
import { conflict, notFound } from '../../platform/errors/problem.js';
import { isUuid } from '../../platform/values/ids.js';
import { type PageQuery, type Slice } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { digestOfSecret, newSecret } from '../../platform/values/secret-token.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { lockMaker } from '../keys/key-creations.js';
import { linkOf } from '../links/one-time-links.js';
import { assertRoomForMember } from '../members/member-cap.js';
import { findMember } from '../members/members.repository.js';
import { refuseStronger } from '../members/members.service.js';
import { findAccount } from '../users/users.repository.js';
import { type CreateInvitationBody, type InvitationDto, type NewInvitationDto } from './invitation.dto.js';
import {
  countInvitations,
  deleteEarlier,
  deleteInvitation,
  findInvitation,
  insertInvitation,
  type InvitationRow,
  invitationsOf,
} from './invitations.repository.js';

const lifetimeMs = 7 * 86_400_000;
export const maxInvitations = 1000;

@Injectable()
export class InvitationsService {
  constructor(private readonly postgres: Postgres) {}

  async list(project: ProjectContext, now: Date, page: PageQuery): Promise<Slice<InvitationDto>> {
    const { count, results } = await invitationsOf(this.postgres, project.id, now, page);
    return { count, results: results.map(toInvitationDto) };
  }

  async get({ id: projectId }: ProjectContext, id: string): Promise<InvitationDto> {
    const row = isUuid(id) ? await findInvitation(this.postgres, projectId, id) : null;
    if (!row) throw notFound(`there is no invitation ${id}`);
    return toInvitationDto(row);
  }

  /**
   * Invites a person. A new invitation replaces an earlier one of the same e-mail. `origin` is the address of this service in the
   * link.
   */
  invite(
    { id: projectId }: ProjectContext,
    { email, role }: CreateInvitationBody,
    author: Requester,
    origin: string,
  ): Promise<NewInvitationDto> {
    refuseStronger(role, author.scopes);
    const token = newSecret();
    const row: InvitationRow = {
      ...{ projectId, id: uuidv7(), email, role, invitedBy: author.userId, madeByKey: author.keyId },
      createdAt: author.now,
      expiresAt: new Date(author.now.getTime() + lifetimeMs),
    };
    return this.postgres.transaction(async (client) => {
      await assertRoomForMember(client, projectId);
      const account = await findAccount(client, email);
      if (account && (await findMember(client, projectId, account.id)))
        throw conflict('The person is a member already: change the role of the member instead', 'email');
      await deleteEarlier(client, projectId, email, author.now);
      if ((await countInvitations(client, projectId)) >= maxInvitations)
        throw conflict(`A project can have at most ${maxInvitations} open invitations: revoke some first`);
      await lockMaker(client, author);
      await insertInvitation(client, { ...row, digest: digestOfSecret(token) });
      await recordInvitation(client, row, 'created', author);
      return { ...toInvitationDto(row), link: linkOf(origin, 'invitation', token) };
    });
  }

  revoke({ id: projectId }: ProjectContext, id: string, author: Author): Promise<void> {
    return this.postgres.transaction(async (client) => {
      const row = isUuid(id) ? await findInvitation(client, projectId, id) : null;
      if (!row) throw notFound(`there is no invitation ${id}`);
      await deleteInvitation(client, projectId, id);
      await recordInvitation(client, row, 'revoked', author);
    });
  }
}

/** Records the role of an invitation only: the entry outlives the invitation, and the e-mail is personal data. */
export const recordInvitation = (
  client: ClientBase,
  { projectId, id, role }: InvitationRow,
  activity: 'created' | 'revoked' | 'accepted',
  author: Author,
): Promise<void> => {
  const isNew = activity === 'created';
  const action = isNew ? ('created' as const) : ('deleted' as const);
  const change = { field: 'role', before: isNew ? null : role, after: isNew ? role : null };
  return recordActivity(
    client,
    { id: projectId },
    {
      ...{ scope: 'Invitation', itemId: id, activity, name: null },
      changes: [{ type: 'Invitation', action, ...change }],
    },
    author,
  );
};

const toInvitationDto = ({ id, email, role, createdAt, expiresAt }: InvitationRow): InvitationDto => ({
  ...{ id, email, role },
  created_at: createdAt.toISOString(),
  expires_at: expiresAt.toISOString(),
});
