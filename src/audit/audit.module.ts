import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { AuditTrail } from './trail/audit-trail.js';
import { OpenEndings } from './trail/open-endings.js';
import { RecordReadsGuard } from './trail/record-reads.guard.js';

@Module({
  controllers: [AuditController],
  providers: [AuditTrail, OpenEndings, RecordReadsGuard],
})
export class AuditModule {}
