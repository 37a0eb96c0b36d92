import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type Request } from 'express';
import { catchError, type Observable } from 'rxjs';
import { Problem } from '../../common/errors/problem.js';
import { RequestLimits } from '../../common/http/request-limits.js';

/**
 * Counts requests without a valid project token. Only the handler can recognise them, because the token is in the body.
 */
@Injectable()
export class RefusedTokensInterceptor implements NestInterceptor {
  constructor(private readonly limits: RequestLimits) {}

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(
      catchError((error: unknown) => {
        if (error instanceof Problem && error.status === 401)
          this.limits.countUnauthenticated(host.switchToHttp().getRequest<Request>());
        throw error;
      }),
    );
  }
}
