import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type ClientBase } from 'pg';
import { lockMaker } from '../auth/keys/key-creations.js';
import { type Author, type Requester } from '../kernel/access/author.js';
import { assertScopes, firstMissing } from '../kernel/access/scopes.js';
import { conflict, invalidInput, required } from '../platform/errors/problem.js';
import { assertUnchanged } from '../platform/http/read-only-fields.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { Config } from '../platform/config/config.js';
import { lockProject } from '../kernel/projects/projects.repository.js';
import { Postgres } from '../platform/postgres/postgres.js';
import { bound, pgSql } from '../platform/postgres/sql.js';
import { lastChangeOf, noteChangesOf } from './deliveries/new-changes.js';
import { WebhookWorker } from './deliveries/webhook-worker.js';
import { newWebhookSecret } from './sending/signature.js';
import { originOfUrl, recordWebhook, webhookLog } from './webhook-activity.js';
import {
  type CreateWebhookBody,
  type ResyncBody,
  type ResyncDto,
  type UpdateWebhookBody,
  type WebhookDto,
} from './webhook.dto.js';
import {
  actionIn,
  actionMatched,
  allCohorts,
  cohortChanged,
  maxWebhooks,
  readCohorts,
  shownEvents,
  storedEvents,
} from './definition/webhook-fields.js';
import { watchActions } from './matches/action-watches.js';
import { followNotices } from './deliveries/notice-positions.js';
import {
  beginMembers,
  beginMembersAgain,
  dropOtherCohorts,
  removePositions,
  restartAttempts,
  restPositions,
} from './deliveries/webhook-positions.js';
import { credentialKind, type DestinationSettings, readDestination } from './destinations/destination.js';
import { WebhooksRepository, type WebhookRow, toWebhookDto } from './definition/webhooks.repository.js';
import { readWebhookUrl } from './sending/webhook-url.js';

/** `events` are those that are stored. */
type Settings = Pick<WebhookRow, 'url' | 'cohorts' | 'kinds' | 'events' | 'batch_size'> &
  DestinationSettings & { readonly paused: boolean };

/** Creates, changes and deletes webhooks. */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly postgres: Postgres,
    private readonly rows: WebhooksRepository,
    private readonly worker: WebhookWorker,
    private readonly config: Config,
  ) {}

  async create(project: ProjectContext, body: CreateWebhookBody, author: Requester): Promise<WebhookDto> {
    const settings: Settings = {
      url: this.readUrl(body.url),
      cohorts: readCohorts(body.cohorts ?? allCohorts),
      kinds: body.kinds ?? ['entered', 'left'],
      events: storedEvents(body.events ?? [cohortChanged], body.action ?? null),
      batch_size: body.batch_size ?? 100,
      paused: body.paused ?? false,
      ...readDestination(body, null),
    };
    assertMembersOnly(settings);
    const secret = newWebhookSecret();
    return this.postgres.transaction(async (client) => {
      await lockProject(client, project.id);
      await refuseOneTooMany(client, project);
      await assertCohorts(client, project, settings);
      await assertReadable(client, project, settings.cohorts, author);
      await lockMaker(client, author);
      const id = await insert(client, project, settings, secret, author);
      await beginMembers(client, { projectId: project.id, id }, author.now);
      await followNotices(client, { projectId: project.id, id }, settings.events, null);
      await watchAction(client, project, settings, null, author);
      const changes = webhookLog.created(inLog(settings));
      await recordWebhook(client, project, { id, url: settings.url, activity: 'created', changes }, author);
      return toWebhookDto(await this.rows.find(project, id, client), secret);
    });
  }

  async update(project: ProjectContext, id: number, body: UpdateWebhookBody, author: Requester): Promise<WebhookDto> {
    if (body.url === null) throw required('url');
    await this.postgres.transaction((client) => this.change(client, project, id, body, author), { repeat: true });
    this.worker.wake();
    return this.rows.get(project, id);
  }

  async delete(project: ProjectContext, id: number, author: Author): Promise<void> {
    await this.postgres.transaction(async (client) => {
      const { url } = await this.lock(client, project, id);
      await removePositions(client, project, id);
      await client.query(
        pgSql`DELETE FROM webhook_deliveries WHERE project_id = ${bound(project.id)} AND webhook_id = ${bound(id)}`,
      );
      await client.query(pgSql`DELETE FROM webhooks WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`);
      await watchActions(client, project.id, author.now);
      await recordWebhook(client, project, { id, url, activity: 'deleted', changes: webhookLog.deleted() }, author);
    });
  }

  private async change(
    client: ClientBase,
    project: ProjectContext,
    id: number,
    body: UpdateWebhookBody,
    author: Requester,
  ): Promise<void> {
    const row = await this.lock(client, project, id);
    assertUnchanged(body, toWebhookDto(row), toWebhookDto(row, row.secret));
    const before: Settings = { ...settingsIn(row), paused: row.paused_at !== null };
    const after: Settings = {
      url: body.url === undefined || body.url === row.url ? row.url : this.readUrl(body.url),
      cohorts: body.cohorts === undefined || body.cohorts === null ? before.cohorts : readCohorts(body.cohorts),
      kinds: body.kinds ?? before.kinds,
      events: changedEvents(before, body),
      batch_size: body.batch_size ?? before.batch_size,
      paused: body.paused ?? before.paused,
      ...readDestination(body, before),
    };
    assertMembersOnly(after);
    refuseElsewhere(before, after);
    const changes = webhookLog.differences(before, after, inLog);
    if (changes.length === 0) return;
    const webhook = { projectId: project.id, id };
    if (!isDeepStrictEqual(before.cohorts, after.cohorts)) await assertCohorts(client, project, after);
    // Changes up to now belong to the previous cohorts; added cohorts start after them.
    if (!isDeepStrictEqual(followedBy(before), followedBy(after))) await noteChangesOf(client, webhook, author.now);
    const isMoved = after.url !== before.url;
    await assertReadable(client, project, after.cohorts, author);
    if (isMoved) await lockMaker(client, author);
    await client.query(
      pgSql`UPDATE webhooks SET url = ${bound(after.url)}, cohorts = ${bound(after.cohorts)}, kinds = ${bound(after.kinds)}, events = ${bound(after.events)},
         batch_size = ${bound(after.batch_size)},
         identifier = ${bound(jsonOf(after.identifier))}::jsonb, properties = ${bound(after.properties)}, amplitude = ${bound(jsonOf(after.amplitude))}::jsonb,
         credentials = ${bound(jsonOf(after.credentials))}::jsonb,
         paused_at = CASE WHEN ${bound(after.paused)} THEN coalesce(paused_at, ${bound(author.now)}::timestamptz) END,
         paused_reason = CASE WHEN ${bound(after.paused)} THEN paused_reason END,
         made_by_key = CASE WHEN ${bound(isMoved)} THEN ${bound(author.keyId)}::uuid ELSE made_by_key END
       WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`,
    );
    const followed = followedBy(after);
    if (followed !== null) await dropOtherCohorts(client, webhook, followed);
    await followNotices(client, webhook, after.events, before.events);
    await watchAction(client, project, after, before, author);
    if (after.paused) await restPositions(client, webhook);
    else if (before.paused || isMoved) await restartAttempts(client, webhook, author.now);
    const isOtherReceiver = isMoved || !isDeepStrictEqual(before.amplitude, after.amplitude);
    const isNamedOtherwise = (['identifier', 'properties'] as const).some(
      (name) => !isDeepStrictEqual(before[name], after[name]),
    );
    if (after.format !== 'standard' && (isOtherReceiver || isNamedOtherwise))
      await beginMembersAgain(client, webhook, { cohort: null, isOtherReceiver, now: author.now });
    else await beginMembers(client, webhook, author.now);
    await recordWebhook(client, project, { id, url: after.url, activity: activityOf(before, after), changes }, author);
  }

  /** Sends the members of the cohorts of a destination again, and then what has changed since. */
  async resync(project: ProjectContext, id: number, body: ResyncBody, author: Author): Promise<ResyncDto> {
    const answer = await this.postgres.transaction(async (client) => {
      const { url, format } = await this.lock(client, project, id);
      if (format === 'standard')
        throw conflict('The format standard has no list of members: read them from cohorts/{id}/changes');
      const again = { cohort: body.cohort ?? null, isOtherReceiver: false, now: author.now };
      const cohorts = await beginMembersAgain(client, { projectId: project.id, id }, again);
      if (body.cohort !== undefined && cohorts.length === 0)
        throw invalidInput(`cohort must be one that the webhook sends: ${body.cohort} is not`, 'cohort');
      const change = { ...webhookLog.changed('cohorts', null, cohorts), action: 'created' } as const;
      await recordWebhook(client, project, { id, url, activity: 'resynced', changes: [change] }, author);
      return { cohorts };
    });
    this.worker.wake();
    return answer;
  }

  private async lock(client: ClientBase, project: ProjectContext, id: number): Promise<WebhookRow> {
    await client.query(
      pgSql`SELECT FROM webhooks WHERE project_id = ${bound(project.id)} AND id = ${bound(id)} FOR UPDATE`,
    );
    return this.rows.find(project, id, client);
  }

  private readUrl(url: string): string {
    return readWebhookUrl(url, { allowPrivate: this.config.webhookAllowPrivate });
  }
}

/** An action that is not named is kept while the events name its matches. */
const changedEvents = ({ events }: Settings, body: UpdateWebhookBody): string[] => {
  const names = body.events ?? shownEvents(events);
  const kept = names.includes(actionMatched) ? actionIn(events) : null;
  return storedEvents(names, body.action === undefined ? kept : body.action);
};

/** Watches the action of a webhook. Its caller must be able to read it, and the events. */
const watchAction = async (
  client: ClientBase,
  project: ProjectContext,
  { events }: Settings,
  before: Settings | null,
  { scopes, now }: Requester,
): Promise<void> => {
  const action = actionIn(events);
  if (action === actionIn(before?.events ?? [])) return;
  if (action !== null) {
    assertScopes(scopes, ['action:read', 'event:read']);
    const { rowCount } = await client.query(
      pgSql`SELECT FROM actions WHERE project_id = ${bound(project.id)} AND id = ${bound(action)} FOR KEY SHARE`,
    );
    if (rowCount === 0)
      throw invalidInput(`action must be the id of an action of this project: there is no action ${action}`, 'action');
  }
  await watchActions(client, project.id, now);
};

const settingsIn = (row: WebhookRow) => {
  const { url, cohorts, kinds, events, batch_size, format, identifier, properties, amplitude, credentials } = row;
  return { url, cohorts, kinds, events, batch_size, format, identifier, properties, amplitude, credentials };
};

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** The products for which there are formats keep members of cohorts: they need all changes of them, and take nothing else. */
const assertMembersOnly = ({ format, kinds, events }: Settings): void => {
  if (format === 'standard') return;
  // A receiver that gets one half of the changes would never have the members of the cohort.
  if (kinds.length < 2) throw invalidInput(`kinds must have both entered and left for the format ${format}`, 'kinds');
  const other = events.find((event) => event !== cohortChanged);
  if (other === undefined) return;
  throw invalidInput(
    `events must be ["${cohortChanged}"] for the format ${format}, which has no message for ${shownEvents([other])[0]}: make another webhook with the format standard`,
    'events',
  );
};

/** A user who may change a webhook may not read its credentials, and so may not send them to another server. */
const refuseElsewhere = (before: Settings, after: Settings): void => {
  if (after.credentials === null || originOfUrl(before.url) === originOfUrl(after.url)) return;
  if (after.credentials === before.credentials)
    throw invalidInput('credentials must be given again, or be null, with a url on another server', 'credentials');
};

/** The cohorts whose changes are sent; null for all. */
const followedBy = ({ cohorts, events }: Settings): readonly number[] | null =>
  events.includes(cohortChanged) ? cohorts : [];

const refuseOneTooMany = async (client: ClientBase, { id }: ProjectContext): Promise<void> => {
  const { rows } = await client.query<{ count: string }>(
    pgSql`SELECT count(*) FROM webhooks WHERE project_id = ${bound(id)}`,
  );
  if (Number(rows[0]?.count) < maxWebhooks) return;
  throw conflict(`A project can have at most ${maxWebhooks} webhooks: delete webhooks that are no longer used`);
};

const assertCohorts = async (
  client: ClientBase,
  project: ProjectContext,
  { cohorts, format }: Settings,
): Promise<void> => {
  if (cohorts === null) return;
  const { rows } = await client.query<{ id: number; ofGroups: boolean }>(
    pgSql`SELECT id, group_type_index IS NOT NULL AS "ofGroups" FROM cohorts WHERE project_id = ${bound(project.id)} AND id = ANY (${bound(cohorts)}::integer[]) AND NOT deleted`,
  );
  const known = new Set(rows.map(({ id }) => id));
  const unknown = cohorts.find((id) => !known.has(id));
  const ofGroups = rows.find((row) => row.ofGroups);
  if (format !== 'standard' && ofGroups)
    throw invalidInput(
      `cohorts must have persons for the format ${format}: cohort ${ofGroups.id} has groups`,
      'cohorts',
    );
  if (unknown === undefined) return;
  throw invalidInput(`cohorts must be ids of cohorts of this project: there is no cohort ${unknown}`, 'cohorts');
};

/** Messages about cohorts of groups have their keys. */
const assertReadable = async (
  client: ClientBase,
  project: ProjectContext,
  cohorts: readonly number[] | null,
  { scopes }: Requester,
): Promise<void> => {
  if (cohorts === null || firstMissing(scopes, ['group:read']) === null) return;
  const { rows } = await client.query<{ id: number }>(
    pgSql`SELECT id FROM cohorts WHERE project_id = ${bound(project.id)} AND id = ANY (${bound(cohorts)}::integer[])
       AND group_type_index IS NOT NULL LIMIT 1`,
  );
  if (rows[0]) assertScopes(scopes, ['group:read']);
};

const insert = async (
  client: ClientBase,
  project: ProjectContext,
  settings: Settings,
  secret: string,
  author: Requester,
): Promise<number> => {
  const { url, cohorts, kinds, events, batch_size, paused, format, identifier, properties, amplitude, credentials } =
    settings;
  const seen = await lastChangeOf(client, project.id);
  const { rows } = await client.query<{ id: number }>(
    pgSql`INSERT INTO webhooks (project_id, url, secret, cohorts, kinds, events, batch_size, paused_at, seen_change, created_by, created_at, made_by_key,
       format, identifier, properties, amplitude, credentials)
     VALUES (${bound(project.id)}, ${bound(url)}, ${bound(secret)}, ${bound(cohorts)}, ${bound(kinds)}, ${bound(events)}, ${bound(batch_size)},
       ${bound(paused ? author.now : null)}, ${bound(seen)}, ${bound(author.userId)}, ${bound(author.now)}, ${bound(author.keyId)},
       ${bound(format)}, ${bound(jsonOf(identifier))}::jsonb, ${bound(properties)}, ${bound(jsonOf(amplitude))}::jsonb, ${bound(jsonOf(credentials))}::jsonb)
     RETURNING id`,
  );
  return rows[0]?.id ?? 0;
};

/** Returns the settings for the activity log, without the part of the address that may contain a secret, and credentials. */
const inLog = ({ url, cohorts, kinds, events, batch_size, paused, ...destination }: Settings) => ({
  url: originOfUrl(url),
  cohorts: cohorts ?? allCohorts,
  kinds,
  events,
  batch_size,
  paused,
  format: destination.format,
  identifier: destination.identifier,
  properties: destination.properties,
  amplitude: destination.amplitude,
  credentials: credentialKind(destination.credentials),
});

const activityOf = (before: Settings, after: Settings): string => {
  if (before.paused === after.paused) return 'updated';
  return after.paused ? 'paused' : 'resumed';
};
