import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../common/project-context.js';
import { type AnswerRedaction } from '../idempotency/answer-redaction.js';
import { type WebhookDto } from './webhook.dto.js';
import { WebhookReader } from './webhook-reader.js';

/** Stores only the id of a new webhook: its secret is shown once. */
@Injectable()
export class WebhookRedaction implements AnswerRedaction<WebhookDto, { readonly id: number }> {
  constructor(private readonly rows: WebhookReader) {}

  redact({ id }: WebhookDto): { readonly id: number } {
    return { id };
  }

  restore({ id }: { readonly id: number }, project: ProjectContext | null): Promise<WebhookDto> {
    if (project === null) throw new Error('A webhook belongs to a project');
    return this.rows.get(project, id);
  }
}
