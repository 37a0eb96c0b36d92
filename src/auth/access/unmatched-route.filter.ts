import { Catch, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { methodNotAllowed, notFound } from '../../common/errors/problem.js';
import { ProblemFilter, sendProblem } from '../../common/http/problem.filter.js';
import { contextOf } from '../../common/http/request-context.js';
import { RequestLimits } from '../../common/http/request-limits.js';
import { Routes } from '../../common/http/routes.js';
import { Admission } from './admission.js';

/**
 * Answers requests that no route matches: 404, or 405 where the path exists with other methods. Our code throws a Problem for
 * "not found", so Nest's own exception can only mean an unmatched route. Routes behind a key reveal their methods only after
 * the key is checked.
 */
@Catch(NotFoundException)
export class UnmatchedRouteFilter implements ExceptionFilter {
  constructor(
    private readonly routes: Routes,
    private readonly admission: Admission,
    private readonly problems: ProblemFilter,
    private readonly limits: RequestLimits,
  ) {}

  catch(_error: NotFoundException, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    this.answer(request, response).catch((error: unknown) =>
      sendProblem(request, response, this.problems.problemOf(error, contextOf(request).requestId)),
    );
  }

  private async answer(request: Request, response: Response): Promise<never> {
    const routes = this.routes.at(request.path);
    const needsKey = routes.length > 0 && routes.every(({ rules: [rule] }) => rule?.kind === 'key');
    if (!needsKey) this.limits.countUnauthenticated(request);
    if (routes.length === 0) throw notFound(`there is no route ${request.path}`);
    if (needsKey) {
      const inProject = routes.some(({ path }) => path.includes(':project_id'));
      const [, project] = /^\/api\/projects\/([^/]+)/.exec(request.path) ?? [];
      await this.admission.admit(request, response, inProject && project !== undefined ? project : null, []);
    }
    const methods = new Set(routes.map(({ method }) => method));
    if (methods.has('GET')) methods.add('HEAD');
    throw methodNotAllowed(request.method, [...methods].sort());
  }
}
