import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/problem.js';
import { type ProjectContext } from '../../common/project-context.js';
import { type AnswerRedaction } from '../../idempotency/answer-redaction.js';
import { type MemberDto } from './member.dto.js';
import { MembersService } from './members.service.js';

/** Stores only the id of a new member, whose name and e-mail must not outlive the user. */
@Injectable()
export class MemberRedaction implements AnswerRedaction<MemberDto, { readonly id: number }> {
  constructor(private readonly members: MembersService) {}

  redact({ user }: MemberDto): { readonly id: number } {
    return { id: user.id };
  }

  restore({ id }: { readonly id: number }, project: ProjectContext | null): Promise<MemberDto> {
    if (!project) throw notFound();
    return this.members.get(project, String(id));
  }
}
