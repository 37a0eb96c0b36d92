import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type ClientBase } from 'pg';
import { lockMaker } from '../../auth/keys/key-creations.js';
import { type Author, type Requester } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { lockProject } from '../../kernel/projects/projects.repository.js';
import { Config } from '../../platform/config/config.js';
import { conflict, invalidInput, required } from '../../platform/errors/problem.js';
import { assertUnchanged } from '../../platform/http/read-only-fields.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type BatchExportDto, type CreateBatchExportBody, type UpdateBatchExportBody } from './batch-export.dto.js';
import { type BatchModel } from './batch-export.entity.js';
import { batchExportLog } from './batch-export-records.js';
import { BatchExportWorker } from './batch-export-worker.js';
import { BatchExportsRepository, type BatchExportRow, toBatchExportDto } from './batch-exports.repository.js';
import { type BucketConfig, readBucket, shownDestination } from './bucket-config.js';
import { type BatchInterval, closesAt, lastPeriod, periodFrom } from './periods.js';

export const maxBatchExports = 20;

/** The settings of a batch export. */
interface Described {
  readonly name: string;
  readonly model: BatchModel;
  readonly cohort_id: number | null;
  readonly interval: BatchInterval;
  readonly destination: BucketConfig;
  readonly paused: boolean;
}

/** Creates, changes and deletes batch exports. */
@Injectable()
export class BatchExportsService {
  constructor(
    private readonly postgres: Postgres,
    private readonly rows: BatchExportsRepository,
    private readonly worker: BatchExportWorker,
    private readonly config: Config,
  ) {}

  async create(project: ProjectContext, body: CreateBatchExportBody, author: Requester): Promise<BatchExportDto> {
    const after: Described = {
      name: body.name,
      model: body.model ?? 'events',
      cohort_id: body.cohort_id ?? null,
      interval: body.interval ?? 'hour',
      destination: readBucket(body.destination, null, this.config.webhookAllowPrivate),
      paused: body.paused ?? false,
    };
    const made = await this.postgres.transaction(async (client) => {
      await lockProject(client, project.id);
      await refuseOneTooMany(client, project);
      await assertCohort(client, project, after);
      await lockMaker(client, author);
      const id = await insert(client, project, after, author);
      const changes = batchExportLog.created(inLog(after));
      await batchExportLog.record(client, project, { id, activity: 'created', name: after.name, changes }, author);
      return this.rows.find(project, id, client);
    });
    this.worker.wake();
    return toBatchExportDto(made);
  }

  async update(
    project: ProjectContext,
    id: number,
    body: UpdateBatchExportBody,
    author: Requester,
  ): Promise<BatchExportDto> {
    await this.postgres.transaction(async (client) => {
      const row = await this.lock(client, project, id);
      assertUnchanged(body, toBatchExportDto(row));
      const before = describedBy(row);
      const after = this.edited(before, body);
      const changes = batchExportLog.differences(before, after, inLog);
      if (changes.length === 0) return;
      const isMoved = !isDeepStrictEqual(before.destination, after.destination);
      if (isMoved) await lockMaker(client, author);
      const due = closesAt(periodFrom(row.next_start, row.interval));
      await client.query(
        pgSql`UPDATE batch_exports SET name = ${bound(after.name)}, destination = ${bound(JSON.stringify(after.destination))},
           paused_at = CASE WHEN ${bound(after.paused)} THEN coalesce(paused_at, ${bound(author.now)}::timestamptz) END,
           paused_reason = CASE WHEN ${bound(after.paused)} THEN paused_reason END,
           next_attempt_at = CASE WHEN NOT ${bound(after.paused)} THEN ${bound(due)}::timestamptz END,
           failures = 0, failing_since = NULL, updated_at = ${bound(author.now)},
           made_by_key = CASE WHEN ${bound(isMoved)} THEN ${bound(author.keyId)}::uuid ELSE made_by_key END
         WHERE project_id = ${bound(project.id)} AND id = ${bound(id)}`,
      );
      const activity = before.paused === after.paused ? 'updated' : after.paused ? 'paused' : 'resumed';
      await batchExportLog.record(client, project, { id, activity, name: after.name, changes }, author);
    });
    this.worker.wake();
    return this.rows.get(project, id);
  }

  async delete(project: ProjectContext, id: number, author: Author): Promise<void> {
    await this.postgres.transaction(async (client) => {
      const row = await this.lock(client, project, id);
      const ofProject = pgSql`project_id = ${bound(project.id)}`;
      await client.query(pgSql`DELETE FROM batch_export_runs WHERE ${ofProject} AND batch_export_id = ${bound(id)}`);
      await client.query(pgSql`DELETE FROM batch_exports WHERE ${ofProject} AND id = ${bound(id)}`);
      const changes = batchExportLog.deleted();
      await batchExportLog.record(client, project, { id, activity: 'deleted', name: row.name, changes }, author);
    });
  }

  private async lock(client: ClientBase, project: ProjectContext, id: number): Promise<BatchExportRow> {
    await client.query(
      pgSql`SELECT FROM batch_exports WHERE project_id = ${bound(project.id)} AND id = ${bound(id)} FOR UPDATE`,
    );
    return this.rows.find(project, id, client);
  }

  private edited(before: Described, body: UpdateBatchExportBody): Described {
    const { destination: sent } = body;
    for (const name of ['model', 'cohort_id', 'interval'] as const)
      if (body[name] !== undefined && body[name] !== before[name])
        throw invalidInput(`${name} cannot be changed: make another batch export`, name);
    return {
      ...before,
      name: body.name ?? before.name,
      destination:
        sent === undefined ? before.destination : readBucket(sent, before.destination, this.config.webhookAllowPrivate),
      paused: body.paused ?? before.paused,
    };
  }
}

const describedBy = ({ name, model, cohort_id, interval, destination, paused_at }: BatchExportRow): Described => ({
  ...{ name, model, cohort_id, interval, destination },
  paused: paused_at !== null,
});

const refuseOneTooMany = async (client: ClientBase, { id }: ProjectContext): Promise<void> => {
  const { rows } = await client.query<{ count: string }>(
    pgSql`SELECT count(*) FROM batch_exports WHERE project_id = ${bound(id)}`,
  );
  if (Number(rows[0]?.count) < maxBatchExports) return;
  throw conflict(`A project can have at most ${maxBatchExports} batch exports: delete those that are no longer used`);
};

const assertCohort = async (client: ClientBase, project: ProjectContext, described: Described): Promise<void> => {
  const { model, cohort_id: id } = described;
  if (model !== 'cohort') {
    if (id === null) return;
    throw invalidInput('cohort_id must be left out for another model than cohort', 'cohort_id');
  }
  if (id === null) throw required('cohort_id');
  const { rows } = await client.query<{ of_groups: boolean }>(
    pgSql`SELECT group_type_index IS NOT NULL AS of_groups FROM cohorts
     WHERE project_id = ${bound(project.id)} AND id = ${bound(id)} AND NOT deleted`,
  );
  if (!rows[0])
    throw invalidInput(`cohort_id must be the id of a cohort of this project: there is no cohort ${id}`, 'cohort_id');
  if (rows[0].of_groups)
    throw invalidInput('cohort_id must be a cohort of persons: its members are groups', 'cohort_id');
};

/** The period that ended last is written at once. */
const insert = async (
  client: ClientBase,
  project: ProjectContext,
  { name, model, cohort_id, interval, destination, paused }: Described,
  author: Requester,
): Promise<number> => {
  const first = lastPeriod(author.now, interval);
  const { rows } = await client.query<{ id: number }>(
    pgSql`INSERT INTO batch_exports (project_id, name, model, cohort_id, interval, destination, paused_at, next_start,
       next_attempt_at, failures, created_by, made_by_key, created_at, updated_at)
     VALUES (${bound(project.id)}, ${bound(name)}, ${bound(model)}, ${bound(cohort_id)}, ${bound(interval)},
       ${bound(JSON.stringify(destination))}, ${bound(paused ? author.now : null)}, ${bound(first.start)},
       ${bound(paused ? null : closesAt(first))}, 0, ${bound(author.userId)}, ${bound(author.keyId)}, ${bound(author.now)},
       ${bound(author.now)})
     RETURNING id`,
  );
  return rows[0]?.id ?? 0;
};

/** A new secret is a change, and is not logged. */
const inLog = ({ destination, ...described }: Described) => ({
  ...described,
  destination: shownDestination(destination),
});
