import { Catch, type ArgumentsHost } from '@nestjs/common';
import { type Response } from 'express';
import { RefusedTokensFilter } from '../../events/capture/refused-tokens.filter.js';
import { Problem } from '../../platform/errors/problem.js';
import { type OfrepFailureDto } from './ofrep.dto.js';

/** Answers to a body that cannot be read as the protocol says. Without a token the answer is that of every route. */
@Catch(Problem)
export class OfrepFaultsFilter extends RefusedTokensFilter {
  override catch(problem: Problem, host: ArgumentsHost): void {
    if (problem.status !== 400 || problem.attr === 'api_key') return super.catch(problem, host);
    const failure: OfrepFailureDto = { errorCode: 'PARSE_ERROR', errorDetails: problem.detail };
    host.switchToHttp().getResponse<Response>().status(400).json(failure);
  }
}
