import { AccountActivityRow } from './activity/account-activity.entity.js';
import { ActivityLogRow } from './activity/activity-log.entity.js';
import { PersonalApiKey } from './auth/keys/personal-api-key.entity.js';
import { User } from './auth/users/user.entity.js';
import { Cohort } from './cohorts/cohort.entity.js';
import { CohortCandidate } from './cohorts/cohort-candidate.entity.js';
import { StaticCohortMember } from './cohorts/static-cohort-member.entity.js';
import { DeletionRequest, DeletionRequestId } from './deletions/deletion-request.entity.js';
import { Event } from './events/event.entity.js';
import { IdempotencyKey } from './idempotency/idempotency-key.entity.js';
import { DistinctIdCount } from './persons/distinct-id-count.entity.js';
import { PersonCount } from './persons/person-count.entity.js';
import { PersonDistinctId } from './persons/person-distinct-id.entity.js';
import { PersonRedirect } from './persons/person-redirect.entity.js';
import { Person } from './persons/person.entity.js';
import { OutboxRow } from './projection/outbox/outbox.entity.js';
import { Project } from './projects/project.entity.js';

/** Every table of the truth. */
export const entities = [
  Project,
  User,
  PersonalApiKey,
  ActivityLogRow,
  AccountActivityRow,
  Person,
  PersonDistinctId,
  PersonCount,
  DistinctIdCount,
  Event,
  OutboxRow,
  IdempotencyKey,
  Cohort,
  StaticCohortMember,
  DeletionRequest,
  DeletionRequestId,
  CohortCandidate,
  PersonRedirect,
];
