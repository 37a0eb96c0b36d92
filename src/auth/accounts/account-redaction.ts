import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { callerOf } from '../../common/http/request-context.js';
import { type AnswerRedaction } from '../../idempotency/answer-redaction.js';
import { type NewAccountDto } from './account.dto.js';
import { AccountsService, demandInstallation } from './accounts.service.js';

/** Stores only the id of a new user: the link is shown once and stored nowhere. */
@Injectable()
export class AccountRedaction implements AnswerRedaction<NewAccountDto, { readonly id: number }> {
  constructor(private readonly accounts: AccountsService) {}

  redact({ id }: NewAccountDto): { readonly id: number } {
    return { id };
  }

  async restore({ id }: { readonly id: number }, _project: unknown, request: Request): Promise<NewAccountDto> {
    demandInstallation(callerOf(request));
    return { ...(await this.accounts.get(String(id))), link: null, link_expires_at: null };
  }
}
