import { Catch, Injectable, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Problem } from '../../platform/errors/problem.js';
import { sendProblem } from '../../platform/http/problem.filter.js';
import { Config } from '../../platform/config/config.js';
import { descriptionOf } from './protected-resource.controller.js';

/** Names the description of the resource in a refusal, by which a client finds the provider. */
@Injectable()
@Catch(Problem)
export class ChallengeFilter implements ExceptionFilter {
  constructor(private readonly config: Config) {}

  catch(problem: Problem, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    const { status, type, code, detail, attr, headers, extra } = problem;
    const isChallenge = status === 401 && hasSignOn(this.config);
    const challenge = { 'WWW-Authenticate': `Bearer resource_metadata="${descriptionOf(request)}"` };
    const named = new Problem(status, type, code, detail, attr, { ...headers, ...challenge }, extra);
    sendProblem(request, response, isChallenge ? named : problem);
  }
}

/** Access tokens name the service by its address, which only PUBLIC_URL proves: clients write the header Host. */
export const hasSignOn = ({ console: hasSessions, oidc, publicOrigin }: Config): boolean =>
  hasSessions && oidc !== null && publicOrigin !== null;
