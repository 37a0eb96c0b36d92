import { Injectable } from '@nestjs/common';
import { type AnswerRedaction } from '../../idempotency/answer-redaction.js';
import { type PasswordLinkDto } from './account.dto.js';

/** Nothing of a link is stored. */
@Injectable()
export class LinkRedaction implements AnswerRedaction<PasswordLinkDto, null> {
  redact(): null {
    return null;
  }

  restore(): Promise<PasswordLinkDto> {
    return Promise.resolve({ link: null, link_expires_at: null });
  }
}
