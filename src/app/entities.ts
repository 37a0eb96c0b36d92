import { Notice } from '../kernel/notices/notice.entity.js';
import { CookielessSalt } from '../kernel/event-log/cookieless/cookieless-salt.entity.js';
import { FeatureFlag } from '../flags/flag.entity.js';
import { BatchExport, BatchExportRun } from '../exports/batch/batch-export.entity.js';
import { AlertMail } from '../saved/alerts/alert-mail.entity.js';
import { Alert, AlertCheck } from '../saved/alerts/alert.entity.js';
import { Annotation } from '../saved/annotations/annotation.entity.js';
import { Action } from '../actions/action.entity.js';
import { AuditEntry } from '../audit/trail/audit-entry.entity.js';
import { AccountActivityRow } from '../activity/log/account-activity.entity.js';
import { ActivityLogRow } from '../activity/log/activity-log.entity.js';
import { Invitation } from '../auth/invitations/invitation.entity.js';
import { PersonalApiKey } from '../auth/keys/personal-api-key.entity.js';
import { OneTimeLink } from '../auth/links/one-time-link.entity.js';
import { ProjectMember } from '../auth/members/project-member.entity.js';
import { ProviderAccount } from '../auth/oidc/provider-account.entity.js';
import { SignOnAttempt } from '../auth/oidc/sign-on-attempt.entity.js';
import { Session } from '../auth/sessions/session.entity.js';
import { User } from '../auth/users/user.entity.js';
import { Cohort } from '../kernel/memberships/cohort.entity.js';
import { CohortCandidate } from '../cohorts/static/cohort-candidate.entity.js';
import { CohortUpload } from '../cohorts/record/cohort-upload.entity.js';
import { CohortChange } from '../kernel/memberships/cohort-change.entity.js';
import { CohortMemberChunk } from '../kernel/memberships/cohort-member-chunk.entity.js';
import { GroupDeparture, PersonDeparture } from '../kernel/memberships/person-departure.entity.js';
import { StaticCohortGroup, StaticCohortMember } from '../kernel/memberships/static-cohort-member.entity.js';
import {
  DeletionRequest,
  DeletionRequestEvents,
  DeletionRequestId,
} from '../kernel/deletions/deletion-request.entity.js';
import { Event } from '../kernel/event-log/event.entity.js';
import {
  EventArchive,
  EventBlock,
  CompressionWalk,
  UncompressedEvents,
} from '../kernel/event-log/compression/compression.entity.js';
import { Group, GroupType } from '../kernel/groups/group.entity.js';
import { IdempotencyKey } from '../kernel/idempotency/idempotency-key.entity.js';
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
} from '../kernel/identity/person.entity.js';
import { NodeOutboxRow, ProjectGate } from '../platform/postgres/citus/citus.entity.js';
import { OutboxRow } from '../kernel/projection/outbox/outbox.entity.js';
import { ProjectCost } from '../projects/quotas/project-cost.entity.js';
import { ProjectDeletion } from '../kernel/projects/project-deletion.entity.js';
import { Project } from '../kernel/projects/project.entity.js';
import { ExpiryRun, ExpiryRunEvent } from '../deletions/expiry/expiry-run.entity.js';
import { DeletionRun } from '../deletions/job/deletion-run.entity.js';
import { EventDay } from '../kernel/event-log/quota/event-day.entity.js';
import { ArrivalEntry } from '../events/live/arrival.entity.js';
import { ImportJob } from '../events/import/jobs/import-job.entity.js';
import { ImportPiece } from '../events/import/jobs/import-piece.entity.js';
import { IngestionCount } from '../events/ingestion/ingestion-count.entity.js';
import { IngestionLibrary } from '../events/ingestion/ingestion-library.entity.js';
import { IngestionWarning } from '../kernel/event-log/ingestion-warning.entity.js';
import { OutboxReplayRow } from '../kernel/projection/outbox/outbox-replay.entity.js';
import { ProjectionState } from '../kernel/projection/projection-state.entity.js';
import { RebuildRow } from '../kernel/projection/rebuild/rebuild.entity.js';
import { ShipmentRow } from '../kernel/projection/shipping/shipment.entity.js';
import { NameDefinition } from '../catalogue/names/definition.entity.js';
import { DashboardLink } from '../saved/links/dashboard-link.entity.js';
import { DashboardSchedule } from '../saved/schedules/dashboard-schedule.entity.js';
import { Dashboard, DashboardFavourite, DashboardTile } from '../saved/dashboards/dashboard.entity.js';
import { Insight, InsightFavourite } from '../saved/insights/insight.entity.js';
import { RateWindow } from '../auth/limits/rate-window.entity.js';
import { LeaseRow } from '../platform/postgres/lease.entity.js';
import { WebhookDelivery } from '../webhooks/deliveries/webhook-delivery.entity.js';
import { Webhook } from '../webhooks/webhook.entity.js';
import { ActionWatch } from '../webhooks/matches/action-watch.entity.js';
import { WebhookMember } from '../webhooks/destinations/webhook-member.entity.js';
import { WebhookPosition } from '../webhooks/deliveries/webhook-position.entity.js';

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
  UncompressedEvents,
  CompressionWalk,
  NodeOutboxRow,
  ProjectGate,
  OutboxRow,
  IdempotencyKey,
  Action,
  Cohort,
  StaticCohortMember,
  StaticCohortGroup,
  CohortMemberChunk,
  CohortChange,
  PersonDeparture,
  GroupDeparture,
  Webhook,
  WebhookPosition,
  WebhookDelivery,
  WebhookMember,
  ActionWatch,
  Notice,
  Insight,
  InsightFavourite,
  Dashboard,
  DashboardFavourite,
  DashboardLink,
  DashboardSchedule,
  DashboardTile,
  Annotation,
  FeatureFlag,
  Alert,
  AlertCheck,
  AlertMail,
  BatchExport,
  BatchExportRun,
  NameDefinition,
  DeletionRequest,
  DeletionRequestId,
  DeletionRequestEvents,
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
  CookielessSalt,
  Group,
  GroupType,
];
