import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { accessRulesOf, isReading, isWriting } from '../../kernel/access/access.js';
import { contextOf } from '../../platform/http/request-context.js';
import { assertStillAdmitted } from '../../platform/http/watch-admission.js';
import { RequestLimits } from '../limits/request-limits.js';
import { Admission } from './admission.js';

const stillAdmitted = async (request: Request, answer: unknown): Promise<unknown> => {
  await assertStillAdmitted(request);
  return answer;
};

/** Guards every route. A route without exactly one rule is our own fault and is answered with 500, so that it reveals nothing. */
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
    // Only answers of reading requests are checked again. A change stays done, so its answer is sent even if the caller has lost
    // its rights meanwhile.
    if (isReading(host, request.method))
      contextOf(request).beforeAnswer.push((answer) => stillAdmitted(request, answer));
    return true;
  }
}
