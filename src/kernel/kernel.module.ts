import { Global, Module } from '@nestjs/common';
import { DeletionRecorder } from './deletions/deletion-recorder.js';
import { EventArchiving } from './event-log/compression/event-archiving.js';
import { CookielessSalts } from './event-log/cookieless/cookieless-salts.js';
import { EventCompression } from './event-log/compression/event-compression.js';
import { GroupCommit } from './event-log/group-commit.js';
import { EventQuotas } from './event-log/quota/event-quotas.js';
import { RecordsSweep } from './identity/records-sweep.js';
import { CohortCounts } from './memberships/cohort-counts.js';
import { CurrentMembers } from './memberships/current-members.js';
import { LiveCohorts } from './memberships/live-cohorts.js';
import { MemberHistories } from './memberships/member-histories.js';
import { MovedMembers } from './memberships/moved-members.js';
import { PastMembers } from './memberships/past-members.js';
import { Projection } from './projection/projection.js';
import { ProjectTokens } from './projects/project-tokens.js';

const forRooms = [
  CohortCounts,
  CookielessSalts,
  CurrentMembers,
  DeletionRecorder,
  GroupCommit,
  LiveCohorts,
  MemberHistories,
  MovedMembers,
  PastMembers,
  Projection,
  ProjectTokens,
];

/**
 * Global, because every room (a folder such as `persons`) writes through the kernel, and every question waits for the
 * projection.
 */
@Global()
@Module({
  providers: [...forRooms, EventArchiving, EventQuotas, EventCompression, RecordsSweep],
  exports: forRooms,
})
export class KernelModule {}
