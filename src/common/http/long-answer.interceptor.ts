import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { mergeMap, type Observable } from 'rxjs';
import { isReading } from './request-context.js';
import { demandStillAdmitted } from './watch-admission.js';

/**
 * An answer that took long to find is sent only if its caller would still be admitted. What a request has changed stays
 * changed, so the answer to a change is always sent.
 */
@Injectable()
export class LongAnswerInterceptor implements NestInterceptor {
  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    if (!isReading(host, request.method)) return next.handle();
    const response = http.getResponse<Response>();
    return next.handle().pipe(
      mergeMap(async (answer: unknown) => {
        if (!response.headersSent) await demandStillAdmitted(request);
        return answer;
      }),
    );
  }
}
