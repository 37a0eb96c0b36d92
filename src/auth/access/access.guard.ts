import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { accessRulesOf } from '../../common/access/access.js';
import { isWriting } from '../../common/http/request-context.js';
import { RequestLimits } from '../limits/request-limits.js';
import { Admission } from './admission.js';

/** Guards every route. A route without exactly one rule is a bug of ours and answers 500, so it reveals nothing. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly admission: Admission,
    private readonly limits: RequestLimits,
  ) {}

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
    await this.admission.admit(request, http.getResponse<Response>(), typeof project === 'string' ? project : null, {
      ...rule,
      writes: isWriting(host, request.method),
    });
    return true;
  }
}
