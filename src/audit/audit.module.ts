import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { AuditTrail } from './audit-trail.js';
import { OpenEndings } from './open-endings.js';
import { RecordReadsGuard } from './record-reads.guard.js';

@Module({
  controllers: [AuditController],
  providers: [AuditTrail, OpenEndings, RecordReadsGuard],
})
export class AuditModule {}
