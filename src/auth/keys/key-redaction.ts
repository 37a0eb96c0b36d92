import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { callerOf } from '../../common/http/request-context.js';
import { type AnswerRedaction } from '../../idempotency/answer-redaction.js';
import { type KeyDto } from './key.dto.js';
import { KeysService } from './keys.service.js';

/**
 * Stores only the id of a new key. Its text is shown once and stored nowhere, so a replay shows the key as it is now, without
 * the text, and only to a caller that rules over it.
 */
@Injectable()
export class KeyRedaction implements AnswerRedaction<KeyDto, { readonly id: string }> {
  constructor(private readonly keys: KeysService) {}

  redact({ id }: KeyDto): { readonly id: string } {
    return { id };
  }

  restore({ id }: { readonly id: string }, _project: unknown, request: Request): Promise<KeyDto> {
    return this.keys.get(callerOf(request), id);
  }
}
