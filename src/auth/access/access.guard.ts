import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { ActiveProjects } from '../../platform/work/active-projects.js';
import { type GrantedScope, assertScopes, firstMissing } from '../../kernel/access/scopes.js';
import { Problem, notAuthenticated, notFound, permissionDenied } from '../../platform/errors/problem.js';
import { RequestLimits } from '../limits/request-limits.js';
import { type Caller } from '../../kernel/access/caller.js';
import { contextOf } from '../../platform/http/request-context.js';
import { bearerOf, KeyAdmission } from './key-admission.js';
import { type Access, KeyLookup, type ProjectRef } from './key-lookup.js';
import { readSmallId } from '../../platform/values/ids.js';
import { SessionAdmission } from './session-admission.js';
import { accessRulesOf, isReading, isWriting } from '../../kernel/access/access.js';
import { assertStillAdmitted } from '../../platform/http/watch-admission.js';

/** An error names at most this many projects. */
const maxNamed = 10;

/** The rights that a route requires of its caller. */
interface Demands {
  readonly scopes: readonly GrantedScope[];
  readonly onlySessions: boolean;
  /** True if the request changes something. */
  readonly writes: boolean;
}

/**
 * Guards every route, and enforces the order of checks: 401, then 404 for the project, then 403, and only then the checks of the
 * route itself.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly keys: KeyAdmission,
    private readonly lookup: KeyLookup,
    private readonly sessions: SessionAdmission,
    private readonly limits: RequestLimits,
    private readonly active: ActiveProjects,
  ) {}

  /** A route without exactly one rule is our own fault and is answered with 500, so that it reveals nothing. */
  async canActivate(host: ExecutionContext): Promise<boolean> {
    const [rule, ...others] = accessRulesOf(host.getHandler());
    if (!rule || others.length > 0) {
      throw new Error(`${host.getClass().name}.${host.getHandler().name} needs exactly one access rule`);
    }
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    if (rule.kind === 'public' && !rule.isHealthCheck) await this.limits.countUnauthenticated(request);
    if (rule.kind !== 'key') return true;
    const project = request.params.project_id;
    await this.admit(request, http.getResponse<Response>(), typeof project === 'string' ? project : null, {
      ...rule,
      writes: isWriting(host, request.method),
    });
    // Only answers of reading requests are checked again. A change stays done, so its answer is sent even if the caller has lost
    // its rights meanwhile.
    if (isReading(host, request.method))
      contextOf(request).beforeAnswer.push((answer) => stillAdmitted(request, answer));
    return true;
  }

  async admit(request: Request, response: Response, projectText: string | null, demands: Demands): Promise<void> {
    const context = contextOf(request);
    const access = await this.authenticate(request, response, refOf(projectText), demands.writes);
    const { caller } = access;
    context.caller = caller;
    context.project = access.project;
    context.isStillAdmitted = () => this.isStillAdmitted(request, access.project, demands);
    context.admittedAt = performance.now();
    if (access.project) this.active.saw(access.project.id);
    const tooMany = await this.limits.countUser(caller, response);
    if (projectText !== null && access.project === null) throw await this.noProject(caller, projectText);
    if (demands.onlySessions && caller.keyId !== null)
      throw permissionDenied('This route is for a signed-in user, not for an API key: sign in first');
    assertScopes(caller.scopes, demands.scopes, caller.keyId === null ? 'Your role' : 'The API key');
    if (tooMany) throw tooMany;
  }

  /** True if a new request like this one would still be admitted. Checked again while a long answer is being sent. */
  private async isStillAdmitted(request: Request, project: Access['project'], demands: Demands): Promise<boolean> {
    const text = bearerOf(request);
    const ref = project?.id ?? null;
    const access = await (text === null ? this.sessions.current(request, ref) : this.keys.current(text, ref));
    if (access === null || access.project?.id !== project?.id) return false;
    return firstMissing(access.caller.scopes, demands.scopes) === null;
  }

  /** Makes the error for a project that does not exist and for one that the caller may not open. Both have the same words. */
  private async noProject(caller: Caller, text: string): Promise<Problem> {
    const opened = await this.lookup.projectsOf(caller, maxNamed + 1);
    const ids = listOf(opened);
    if (caller.keyId === null) {
      if (text !== '@current') return notFound(`project ${text} is not open to you: you are a member of ${ids}`);
      return notFound(`@current stands for the only project of a user: you are a member of ${ids}`);
    }
    if (text !== '@current') return notFound(`project ${text} is not open to this key: it opens ${ids}`);
    return notFound(`@current stands for the only project of a key: this one opens ${ids}`);
  }

  /** Identifies the caller. A key counts more than a cookie, so that a program in a browser has the rights of its key alone. */
  private async authenticate(
    request: Request,
    response: Response,
    ref: ProjectRef | 'impossible',
    writes: boolean,
  ): Promise<Access> {
    const text = bearerOf(request);
    const token = text === null ? this.sessions.tokenOf(request) : null;
    const known = ref === 'impossible' ? null : ref;
    if (token !== null) return this.sessions.authenticate(request, response, token, known, writes);
    try {
      if (text === null) throw notAuthenticated();
      return await this.keys.authenticate(request, text, known);
    } catch (error) {
      if (error instanceof Problem && error.status === 401) await this.limits.countUnauthenticated(request);
      throw error;
    }
  }
}

const listOf = (ids: readonly number[]): string => {
  if (ids.length === 0) return 'none';
  if (ids.length > maxNamed) return `${ids.slice(0, maxNamed).join(', ')} and more`;
  return ids.length === 1 ? String(ids[0]) : `${ids.slice(0, -1).join(', ')} and ${ids.at(-1)}`;
};

const refOf = (text: string | null): ProjectRef | 'impossible' => {
  if (text === null || text === '@current') return text;
  return readSmallId(text) ?? 'impossible';
};

const stillAdmitted = async (request: Request, answer: unknown): Promise<unknown> => {
  await assertStillAdmitted(request);
  return answer;
};
