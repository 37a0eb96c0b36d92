import { Injectable } from '@nestjs/common';
import { recordActivity } from '../../kernel/activity/record-activity.js';
import { FilterChecks } from '../../filters/checks/filter-checks.js';
import { insightFilters } from '../../filters/reading/filter-fields.js';
import {
  confirmationMinutes,
  confirmationToken,
  confirmedBy,
  type Confirmed,
  type Preview,
} from '../../kernel/access/confirmation.js';
import { type Author } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type DeletionCriteria } from '../../kernel/deletions/deletion-request.entity.js';
import { DeletionRecorder, mostSelected } from '../../kernel/deletions/deletion-recorder.js';
import { Projection } from '../../kernel/projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { type Uuids } from '../../platform/clickhouse/uuid-lines.js';
import { conflict, invalidInput, required } from '../../platform/errors/problem.js';
import { timeBound } from '../../platform/fields/time-bound.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { type DeletionPreviewDto, type RequestDeletionBody } from './selection.dto.js';
import {
  selectedUuidsSql,
  selectionCountSql,
  selectionNamesSql,
  selectionSinceSql,
  type DeletionQuestion,
  type SelectionCount,
} from './selection.sql.js';

const mostNames = 100;

/** An event that was received before a preview is committed within this time, and then belongs to what the preview counts. */
const underWayMs = 5_000;

/** Deletes the events that a question selects, or properties of them: first a preview, then the request with its token. */
@Injectable()
export class SelectionsService {
  constructor(
    private readonly postgres: Postgres,
    private readonly clickhouse: ClickHouse,
    private readonly projection: Projection,
    private readonly filterChecks: FilterChecks,
    private readonly recorder: DeletionRecorder,
  ) {}

  /** Counts the events in ClickHouse, which has everything that was acknowledged before. */
  async preview(
    project: ProjectContext,
    body: RequestDeletionBody,
    credential: string,
    now: Date,
  ): Promise<DeletionPreviewDto> {
    const selection = await this.selectionOf(project, body, now);
    await this.projection.waitUntilComplete(project.id, now);
    const [counts, names] = await Promise.all([
      this.clickhouse.query<SelectionCount>(selectionCountSql(selection), { project }),
      this.clickhouse.query<{ event: string; count: number }>(selectionNamesSql(selection, mostNames), { project }),
    ]);
    const { events = 0, persons = 0, first = null, last = null } = counts[0] ?? {};
    if (events > mostSelected) throw tooMany(events);
    // Events that are sent after the answer arrive later, and stay.
    await this.recorder.untilLaterEvents(selection.receivedUpTo);
    return {
      events,
      persons,
      first_timestamp: first,
      last_timestamp: last,
      by_name: names,
      up_to: selection.receivedUpTo.toISOString(),
      confirm: confirmationToken(changeOf(project, body, credential), { at: now, count: events }),
      confirm_until: new Date(now.getTime() + confirmationMinutes * 60_000).toISOString(),
    };
  }

  /** Selects the events as of the preview, and records them. Returns the id of the request. */
  async request(
    project: ProjectContext,
    body: RequestDeletionBody,
    confirm: string,
    credential: string,
    author: Author,
  ): Promise<string> {
    const preview = confirmedBy(confirm, changeOf(project, body, credential), author.now);
    if (!preview)
      throw invalidInput(
        `confirm is not the token of a preview of this request within the last ${confirmationMinutes} minutes: send the request without confirm first, and then again with the same fields`,
        'confirm',
      );
    const selection = await this.selectionOf(project, body, preview.at);
    await this.projection.waitUntilComplete(project.id, author.now);
    const uuids = await this.selected(project, selection);
    await this.assertAsPreviewed(project, selection, uuids.length, preview);
    const { scrub = null } = body;
    const { id } = await this.postgres.transaction(
      async (client) => {
        await recordActivity(client, project, activityOf(project, uuids.length, scrub), author);
        const selected = { uuids, scrub: scrub && { keys: scrub } };
        return this.recorder.requestSelected(
          client,
          project,
          {
            kind: scrub ? 'properties' : 'events',
            criteria: criteriaOf(body, selection),
            receivedUpTo: selection.receivedUpTo,
            selections: [selected],
          },
          author,
        );
      },
      { repeat: true },
    );
    return id;
  }

  private async selectionOf(project: ProjectContext, body: RequestDeletionBody, now: Date): Promise<DeletionQuestion> {
    const { events = null, uuids = null, scrub = null } = body;
    const filter = insightFilters.read(body.properties, 'properties');
    const [after, before] = (['after', 'before'] as const).map((attr) =>
      timeBound(body[attr] ?? undefined, attr, now, project),
    );
    const hasFilter = filter.kind !== 'group' || filter.parts.length > 0;
    if (!events && !uuids && !after && !before && !hasFilter && !scrub)
      throw required('events', 'or uuids, after, before, properties or scrub: all events are never meant');
    const cohorts = await this.filterChecks.resolve(project, filter, 'properties');
    return {
      projectId: project.id,
      timezone: project.timezone,
      ...{ now, cohorts, filter, events, uuids, scrub },
      after: after ?? null,
      before: before ?? null,
      receivedUpTo: this.recorder.upTo(now),
    };
  }

  private async selected(project: ProjectContext, selection: DeletionQuestion): Promise<Uuids> {
    const statement = selectedUuidsSql(selection, mostSelected + 1);
    const uuids = await this.clickhouse.uuids(statement, { project, maxResultRows: mostSelected + 1 });
    if (uuids.length > mostSelected) throw tooMany(uuids.length);
    return uuids;
  }

  /** Filters on persons and cohorts may select other events than at the time of the preview. */
  private async assertAsPreviewed(
    project: ProjectContext,
    selection: DeletionQuestion,
    events: number,
    { at, count }: Preview,
  ): Promise<void> {
    if (events === count) return;
    const since = selectionSinceSql(selection, new Date(at.getTime() - underWayMs));
    const [late] = events < count ? [] : await this.clickhouse.query<{ number: number }>(since, { project });
    if (late && events - count <= late.number) return;
    throw conflict(
      `the request concerns ${events} events now, and its preview counted ${count}: make a new preview`,
      'confirm',
    );
  }
}

const tooMany = (events: number) =>
  invalidInput(
    `a request may concern at most ${mostSelected} events, and this one concerns ${events} or more: narrow it by after and before`,
    'before',
  );

/** The fields in one order, so that a client may send them in another one the second time. */
const changeOf = ({ id }: ProjectContext, body: RequestDeletionBody, credential: string): Confirmed => {
  const { events, uuids, after, before, properties, scrub } = body;
  const fields = [events, uuids, after, before, properties, scrub].map((value) => value ?? null);
  return { credential, method: 'POST', path: `${id}/deletion_requests`, body: JSON.stringify(fields) };
};

/** Values of filters and uuids may be personal, so the receipt does not have them. */
const criteriaOf = (
  { events, uuids, scrub, properties }: RequestDeletionBody,
  { after, before }: DeletionQuestion,
): DeletionCriteria => ({
  ...(events && { events }),
  ...(after && { after: after.toISOString() }),
  ...(before && { before: before.toISOString() }),
  ...(uuids && { uuids: uuids.length }),
  ...(properties !== undefined && properties !== null && { is_filtered: true }),
  ...(scrub && { scrub }),
});

const activityOf = (project: ProjectContext, events: number, scrub: readonly string[] | null) => ({
  scope: 'Project' as const,
  itemId: String(project.id),
  activity: 'deletion_requested',
  name: null,
  changes: [
    {
      type: 'Project' as const,
      action: scrub ? ('changed' as const) : ('deleted' as const),
      field: 'events',
      before: events,
      after: null,
    },
  ],
});
