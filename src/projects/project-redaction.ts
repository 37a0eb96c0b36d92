import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { callerOf } from '../common/http/request-context.js';
import { type AnswerRedaction } from '../idempotency/answer-redaction.js';
import { type ProjectDto } from './project.dto.js';
import { demandEveryProject } from './project-writes.js';

/** Nothing of a new project is secret, but a key that could not have created it does not get the answer. */
@Injectable()
export class ProjectRedaction implements AnswerRedaction<ProjectDto, ProjectDto> {
  redact(project: ProjectDto): ProjectDto {
    return project;
  }

  async restore(stored: ProjectDto, _project: unknown, request: Request): Promise<ProjectDto> {
    demandEveryProject(callerOf(request));
    return Promise.resolve(stored);
  }
}
