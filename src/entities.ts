import { Action } from './actions/action.entity.js';
import { AuditEntry } from './audit/audit-entry.entity.js';
import { AccountActivityRow } from './activity/account-activity.entity.js';
import { ActivityLogRow } from './activity/activity-log.entity.js';
import { Invitation } from './auth/invitations/invitation.entity.js';
import { PersonalApiKey } from './auth/keys/personal-api-key.entity.js';
import { OneTimeLink } from './auth/links/one-time-link.entity.js';
import { ProjectMember } from './auth/members/project-member.entity.js';
import { ProviderAccount } from './auth/oidc/provider-account.entity.js';
import { SignOnAttempt } from './auth/oidc/sign-on-attempt.entity.js';
import { Session } from './auth/sessions/session.entity.js';
import { User } from './auth/users/user.entity.js';
import { Cohort } from './cohorts/cohort.entity.js';
import { CohortCandidate } from './cohorts/cohort-candidate.entity.js';
import { CohortUpload } from './cohorts/cohort-upload.entity.js';
import { CohortChange } from './cohorts/changes/cohort-change.entity.js';
import { CohortMemberChunk } from './cohorts/changes/cohort-member-chunk.entity.js';
import { PersonDeparture } from './cohorts/changes/person-departure.entity.js';
import { StaticCohortMember } from './cohorts/static-cohort-member.entity.js';
import { DeletionRequest, DeletionRequestId } from './deletions/deletion-request.entity.js';
import { Event } from './events/event.entity.js';
import { EventArchive, EventBlock, SealingWalk, UnsealedEvents } from './events/sealing/sealing.entity.js';
import { IdempotencyKey } from './idempotency/idempotency-key.entity.js';
import {
  DistinctIdCount,
  Person,
  PersonCount,
  PersonDistinctId,
  PersonMerge,
  PersonMergeId,
  PersonRedirect,
  PersonSplitId,
  PersonSplitRecord,
} from './persons/person.entity.js';
import { NodeOutboxRow, ProjectGate } from './stores/postgres/citus/citus.entity.js';
import { OutboxRow } from './projection/outbox/outbox.entity.js';
import { ProjectCost } from './quotas/project-cost.entity.js';
import { ProjectDeletion } from './projects/deletion/project-deletion.entity.js';
import { Project } from './projects/project.entity.js';
import { ExpiryRun, ExpiryRunEvent } from './deletions/expiry/expiry-run.entity.js';
import { DeletionRun } from './deletions/job/deletion-run.entity.js';
import { EventDay } from './events/ingest/quota/event-day.entity.js';
import { ArrivalEntry } from './events/live/arrival.entity.js';
import { ImportJob } from './events/import/jobs/import-job.entity.js';
import { ImportPiece } from './events/import/jobs/import-piece.entity.js';
import { IngestionCount } from './events/ingestion/ingestion-count.entity.js';
import { IngestionLibrary } from './events/ingestion/ingestion-library.entity.js';
import { IngestionWarning } from './events/ingestion-warning.entity.js';
import { OutboxReplayRow } from './projection/outbox/outbox-replay.entity.js';
import { ProjectionState } from './projection/projection-state.entity.js';
import { RebuildRow } from './projection/rebuild/rebuild.entity.js';
import { ShipmentRow } from './projection/shipping/shipment.entity.js';
import { NameDefinition } from './catalogue/definition.entity.js';
import { Dashboard, DashboardFavourite, DashboardTile } from './saved/dashboards/dashboard.entity.js';
import { Insight, InsightFavourite } from './saved/insights/insight.entity.js';
import { RateWindow } from './auth/limits/rate-window.entity.js';
import { LeaseRow } from './stores/postgres/lease.entity.js';
import { WebhookDelivery } from './webhooks/deliveries/webhook-delivery.entity.js';
import { Webhook } from './webhooks/webhook.entity.js';
import { WebhookPosition } from './webhooks/webhook-position.entity.js';

/** Every table of PostgreSQL. `entities.spec.ts` compares them with the result of the migrations. */
export const entities = [
  Project,
  ProjectDeletion,
  User,
  PersonalApiKey,
  Session,
  OneTimeLink,
  ProviderAccount,
  SignOnAttempt,
  ProjectMember,
  Invitation,
  ActivityLogRow,
  AccountActivityRow,
  AuditEntry,
  Person,
  PersonDistinctId,
  PersonMerge,
  PersonMergeId,
  PersonSplitRecord,
  PersonSplitId,
  PersonCount,
  DistinctIdCount,
  Event,
  EventArchive,
  EventBlock,
  UnsealedEvents,
  SealingWalk,
  NodeOutboxRow,
  ProjectGate,
  OutboxRow,
  IdempotencyKey,
  Action,
  Cohort,
  StaticCohortMember,
  CohortMemberChunk,
  CohortChange,
  PersonDeparture,
  Webhook,
  WebhookPosition,
  WebhookDelivery,
  Insight,
  InsightFavourite,
  Dashboard,
  DashboardFavourite,
  DashboardTile,
  NameDefinition,
  DeletionRequest,
  DeletionRequestId,
  CohortCandidate,
  CohortUpload,
  PersonRedirect,
  DeletionRun,
  ExpiryRun,
  ExpiryRunEvent,
  IngestionWarning,
  ArrivalEntry,
  EventDay,
  IngestionCount,
  IngestionLibrary,
  ProjectCost,
  ImportJob,
  ImportPiece,
  OutboxReplayRow,
  ProjectionState,
  RebuildRow,
  ShipmentRow,
  LeaseRow,
  RateWindow,
];
