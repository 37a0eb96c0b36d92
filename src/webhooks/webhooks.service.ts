import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type ClientBase } from 'pg';
import { type ActivityChange } from '../activity/log/record-activity.js';
import { lockMaker } from '../auth/keys/key-creations.js';
import { type Author, type Requester } from '../kernel/access/author.js';
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
import { changedField, originOfUrl, recordWebhook } from './webhook-activity.js';
import { type CreateWebhookBody, type UpdateWebhookBody, type WebhookDto } from './webhook.dto.js';
import { allCohorts, cohortChanged, maxWebhooks, readCohorts } from './definition/webhook-fields.js';
import { followNotices } from './deliveries/notice-positions.js';
import { dropOtherCohorts, removePositions, restartAttempts, restPositions } from './deliveries/webhook-positions.js';
import { WebhooksRepository, type WebhookRow, toWebhookDto } from './definition/webhooks.repository.js';
import { readWebhookUrl } from './sending/webhook-url.js';

type Settings = Pick<WebhookRow, 'url' | 'cohorts' | 'kinds' | 'events' | 'batch_size'> & { readonly paused: boolean };

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
      events: body.events ?? [cohortChanged],
      batch_size: body.batch_size ?? 100,
      paused: body.paused ?? false,
    };
    const secret = newWebhookSecret();
    return this.postgres.transaction(async (client) => {
      await lockProject(client, project.id);
      await refuseOneTooMany(client, project);
      await assertCohorts(client, project, settings.cohorts);
      await lockMaker(client, author);
      const id = await insert(client, project, settings, secret, author);
      await followNotices(client, { projectId: project.id, id }, settings.events, null);
      const after = inLog(settings);
      const change = { ...changedField('', null, after), action: 'created', field: null } as const;
      await recordWebhook(client, project, { id, url: settings.url, activity: 'created', changes: [change] }, author);
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
      const change = { ...changedField('', null, null), action: 'deleted', field: null } as const;
      await recordWebhook(client, project, { id, url, activity: 'deleted', changes: [change] }, author);
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
      events: body.events ?? before.events,
      batch_size: body.batch_size ?? before.batch_size,
      paused: body.paused ?? before.paused,
    };
    const changes = changesOf(before, after);
    if (changes.length === 0) return;
    const webhook = { projectId: project.id, id };
    if (!isDeepStrictEqual(before.cohorts, after.cohorts)) await assertCohorts(client, project, after.cohorts);
    // Changes up to now belong to the previous cohorts; added cohorts start after them.
    if (!isDeepStrictEqual(followedBy(before), followedBy(after))) await noteChangesOf(client, webhook, author.now);
    const isMoved = after.url !== before.url;
    if (isMoved) await lockMaker(client, author);
    await client.query(
      pgSql`UPDATE webhooks SET url = ${bound(after.url)}, cohorts = ${bound(after.cohorts)}, kinds = ${bound(after.kinds)}, events = ${bound(after.events)},
         batch_size = ${bound(after.batch_size)}, paused_at = CASE WHEN ${bound(after.paused)} THEN coalesce(paused_at, ${bound(author.now)}::timestamptz) END,
         paused_reason = CASE WHEN ${bound(after.paused)} THEN paused_reason END,
         made_by_key = CASE WHEN ${bound(isMoved)} THEN ${bound(author.keyId)}::uuid ELSE made_by_key END
       WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`,
    );
    const followed = followedBy(after);
    if (followed !== null) await dropOtherCohorts(client, webhook, followed);
    await followNotices(client, webhook, after.events, before.events);
    if (after.paused) await restPositions(client, webhook);
    else if (before.paused || isMoved) await restartAttempts(client, webhook, author.now);
    await recordWebhook(client, project, { id, url: after.url, activity: activityOf(before, after), changes }, author);
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

const settingsIn = ({ url, cohorts, kinds, events, batch_size }: WebhookRow) => ({
  url,
  cohorts,
  kinds,
  events,
  batch_size,
});

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
  cohorts: readonly number[] | null,
): Promise<void> => {
  if (cohorts === null) return;
  const { rows } = await client.query<{ id: number }>(
    pgSql`SELECT id FROM cohorts WHERE project_id = ${bound(project.id)} AND id = ANY (${bound(cohorts)}::integer[]) AND NOT deleted`,
  );
  const known = new Set(rows.map(({ id }) => id));
  const unknown = cohorts.find((id) => !known.has(id));
  if (unknown === undefined) return;
  throw invalidInput(`cohorts must be ids of cohorts of this project: there is no cohort ${unknown}`, 'cohorts');
};

const insert = async (
  client: ClientBase,
  project: ProjectContext,
  { url, cohorts, kinds, events, batch_size, paused }: Settings,
  secret: string,
  author: Requester,
): Promise<number> => {
  const seen = await lastChangeOf(client, project.id);
  const { rows } = await client.query<{ id: number }>(
    pgSql`INSERT INTO webhooks (project_id, url, secret, cohorts, kinds, events, batch_size, paused_at, seen_change, created_by, created_at, made_by_key)
     VALUES (${bound(project.id)}, ${bound(url)}, ${bound(secret)}, ${bound(cohorts)}, ${bound(kinds)}, ${bound(events)}, ${bound(batch_size)},
       ${bound(paused ? author.now : null)}, ${bound(seen)}, ${bound(author.userId)}, ${bound(author.now)}, ${bound(author.keyId)})
     RETURNING id`,
  );
  return rows[0]?.id ?? 0;
};

/** Returns the settings for the activity log, without the part of the address that may contain a secret. */
const inLog = ({ url, cohorts, kinds, events, batch_size, paused }: Settings) => ({
  url: originOfUrl(url),
  cohorts: cohorts ?? allCohorts,
  kinds,
  events,
  batch_size,
  paused,
});

const changesOf = (before: Settings, after: Settings): ActivityChange[] => {
  const [old, now] = [inLog(before), inLog(after)];
  return (['url', 'cohorts', 'kinds', 'events', 'batch_size', 'paused'] as const).flatMap((field) =>
    isDeepStrictEqual(before[field], after[field]) ? [] : [changedField(field, old[field], now[field])],
  );
};

const activityOf = (before: Settings, after: Settings): string => {
  if (before.paused === after.paused) return 'updated';
  return after.paused ? 'paused' : 'resumed';
};
