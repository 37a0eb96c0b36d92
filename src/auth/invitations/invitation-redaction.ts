import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/problem.js';
import { type ProjectContext } from '../../common/project-context.js';
import { type AnswerRedaction } from '../../idempotency/answer-redaction.js';
import { type NewInvitationDto } from './invitation.dto.js';
import { InvitationsService } from './invitations.service.js';

/** Stores only the id of an invitation: its link is shown once and stored nowhere. */
@Injectable()
export class InvitationRedaction implements AnswerRedaction<NewInvitationDto, { readonly id: string }> {
  constructor(private readonly invitations: InvitationsService) {}

  redact({ id }: NewInvitationDto): { readonly id: string } {
    return { id };
  }

  async restore({ id }: { readonly id: string }, project: ProjectContext | null): Promise<NewInvitationDto> {
    if (!project) throw notFound();
    return { ...(await this.invitations.get(project, id)), link: null };
  }
}
