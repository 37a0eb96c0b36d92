import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type Request } from 'express';
import { catchError, type Observable } from 'rxjs';
import { Problem } from '../../common/errors/problem.js';
import { RequestLimits } from '../../auth/limits/request-limits.js';

/**
 * Counts requests without a valid project token. Only the handler can recognise them, because the token is in the body.
 */
@Injectable()
export class RefusedTokensInterceptor implements NestInterceptor {
  constructor(private readonly limits: RequestLimits) {}

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = host.switchToHttp().getRequest<Request>();
    return next.handle().pipe(catchError((error: unknown) => this.counted(error, request)));
  }

  private async counted(error: unknown, request: Request): Promise<never> {
    if (error instanceof Problem && error.status === 401) await this.limits.countUnauthenticated(request);
    throw error;
  }
}
