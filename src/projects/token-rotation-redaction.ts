import { Injectable } from '@nestjs/common';
import { type AnswerRedaction } from '../idempotency/answer-redaction.js';
import { type ProjectContext } from '../common/project-context.js';
import { type ProjectDto } from './project.dto.js';
import { ProjectsService } from './projects.service.js';

/** A replay shows the project as it is now: a token of an earlier rotation may have ended. */
@Injectable()
export class TokenRotationRedaction implements AnswerRedaction<ProjectDto, { readonly id: number }> {
  constructor(private readonly projects: ProjectsService) {}

  redact({ id }: ProjectDto): { readonly id: number } {
    return { id };
  }

  restore(stored: { readonly id: number }, project: ProjectContext | null): Promise<ProjectDto> {
    return this.projects.get(project ?? stored);
  }
}
