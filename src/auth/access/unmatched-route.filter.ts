import { Catch, NotFoundException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { methodNotAllowed, notFound, type Problem } from '../../platform/errors/problem.js';
import { nearestRoute, routesBelow } from '../../platform/http/nearest-route.js';
import { ProblemFilter, sendProblem } from '../../platform/http/problem.filter.js';
import { contextOf, isReadingMethod } from '../../platform/http/request-context.js';
import { RequestLimits } from '../limits/request-limits.js';
import { Routes, type Route } from '../../kernel/access/routes.js';
import { absentFeatureAt } from '../absent/absent-features.js';
import { AccessGuard } from './access.guard.js';

const maxQuoted = 80;

/**
 * Answers requests that no route matches: 404, or 405 if the path exists with other methods. Our own code throws a Problem for
 * "not found", so Nest's exception can only mean an unmatched route. Routes that need a key reveal their methods only after the
 * key was checked.
 */
@Catch(NotFoundException)
export class UnmatchedRouteFilter implements ExceptionFilter {
  constructor(
    private readonly routes: Routes,
    private readonly guard: AccessGuard,
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
    const routes = this.routes.at(request.path).filter(({ refuses }) => !refuses);
    const needsKey = routes.length > 0 && routes.every(({ rules: [rule] }) => rule?.kind === 'key');
    if (!needsKey) await this.limits.countUnauthenticated(request);
    if (routes.length === 0 || isNameForId(request.path, routes)) throw this.noRoute(request.path);
    if (needsKey) {
      const inProject = routes.some(({ path }) => path.includes(':project_id'));
      const [, project] = /^\/api\/projects\/([^/]+)/.exec(request.path) ?? [];
      const demands = { scopes: [], onlySessions: false, writes: !isReadingMethod(request.method) };
      await this.guard.admit(request, response, inProject && project !== undefined ? project : null, demands);
    }
    const methods = new Set(methodsOf(routes));
    if (methods.has('GET')) methods.add('HEAD');
    const elsewhere =
      request.method === 'POST' ? routes.flatMap(({ path }) => writtenElsewhere[path] ?? [])[0] : undefined;
    throw methodNotAllowed(request.method, [...methods].sort(), methodsOf(mostSpecific(routes)), elsewhere);
  }

  private noRoute(path: string): Problem {
    const quoted = path.slice(0, maxQuoted);
    const absent = absentFeatureAt(path);
    if (absent) return notFound(`Kohort has no ${absent.name}; instead: ${absent.instead}`);
    if (path.startsWith('/docs/'))
      return notFound(`there is no document ${quoted}: /docs links to all guides, such as /docs/guides/cohorts.md`);
    const [, withoutEnding, format] = /^(.+)\.(csv|ndjson|parquet)$/.exec(path) ?? [];
    if (withoutEnding !== undefined && this.routes.at(withoutEnding).length > 0)
      return notFound(`there is no route ${quoted}: did you mean ${withoutEnding}?format=${format}?`);
    const routes = this.routes.all().map((route) => route.path);
    const below = routesBelow(path, routes);
    const nearest = below.length > 0 ? below.join(' or ') : nearestRoute(path, routes);
    const hint = nearest === null ? '/docs lists all routes' : `did you mean ${nearest}?`;
    return notFound(`there is no route ${quoted}: ${hint}`);
  }
}

/** Tells, for lists that cannot be written to, by which route their records are made. */
const writtenElsewhere: Readonly<Record<string, string>> = {
  '/api/projects/:project_id/events': 'events are sent to POST /batch',
  '/api/projects/:project_id/insights/:id':
    'a saved insight has that address; persons/trends, persons/funnel and the like answer a question',
  '/api/projects/:project_id/persons': 'persons are made by the events that are sent to POST /batch, or by POST import',
};

/** True if the path has a word of several parts where the routes have an id: it is the name of a route of another product. */
const isNameForId = (path: string, routes: readonly Route[]): boolean =>
  /\/[a-z]+(?:_[a-z]+)+\/?$/.test(path) && routes.every((route) => /\/:[^/]+$/.test(route.path));

const methodsOf = (routes: readonly Route[]): string[] => [...new Set(routes.map(({ method }) => method))].sort();

/** Removes routes such as `persons/:id` if a more specific route such as `persons/trends` matches too. */
const mostSpecific = (routes: readonly Route[]): Route[] => {
  const ids = ({ path }: Route): number => path.split('/:').length;
  const fewest = Math.min(...routes.map(ids));
  return routes.filter((route) => ids(route) === fewest);
};
