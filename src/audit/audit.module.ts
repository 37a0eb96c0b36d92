import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AuditController } from './audit.controller.js';
import { AuditTrail } from './audit-trail.js';
import { OpenEndings } from './open-endings.js';
import { RecordReadsInterceptor } from './record-reads.interceptor.js';

@Module({
  controllers: [AuditController],
  providers: [AuditTrail, OpenEndings, { provide: APP_INTERCEPTOR, useClass: RecordReadsInterceptor }],
})
export class AuditModule {}
