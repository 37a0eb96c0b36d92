import { Module } from '@nestjs/common';
import { ActivityLog } from './activity-log.js';

/** Its entries are shown by the modules they are about. */
@Module({ providers: [ActivityLog], exports: [ActivityLog] })
export class ActivityModule {}
