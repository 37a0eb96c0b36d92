import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { AuditTrail } from './trail/audit-trail.js';
import { PendingCompletions } from './trail/pending-completions.js';
import { RecordReadsGuard } from './trail/record-reads.guard.js';

@Module({
  controllers: [AuditController],
  providers: [AuditTrail, PendingCompletions, RecordReadsGuard],
})
export class AuditModule {}
