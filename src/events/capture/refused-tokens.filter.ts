import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type Request } from 'express';
import { Problem } from '../../platform/errors/problem.js';
import { ProblemFilter } from '../../platform/http/problem.filter.js';
import { RequestLimits } from '../../auth/limits/request-limits.js';

/** Counts requests without a valid project token. A filter does this, because only the handler finds the token, in the body. */
@Catch(Problem)
export class RefusedTokensFilter implements ExceptionFilter<Problem> {
  constructor(
    private readonly limits: RequestLimits,
    private readonly problems: ProblemFilter,
  ) {}

  catch(problem: Problem, host: ArgumentsHost): void {
    if (problem.status === 401) void this.count(problem, host);
    else this.problems.catch(problem, host);
  }

  private async count(problem: Problem, host: ArgumentsHost): Promise<void> {
    const answer = await this.limits.countUnauthenticated(host.switchToHttp().getRequest<Request>()).then(
      () => problem,
      (tooMany: unknown) => tooMany,
    );
    this.problems.catch(answer, host);
  }
}
