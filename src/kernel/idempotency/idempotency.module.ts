import { Global, Module } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';
import { IdempotencyKeys } from './idempotency-keys.js';

/** The module is global, because `@Idempotent()` may be used on a route of any module. */
@Global()
@Module({ providers: [IdempotencyKeys, IdempotencyInterceptor], exports: [IdempotencyKeys, IdempotencyInterceptor] })
export class IdempotencyModule {}
