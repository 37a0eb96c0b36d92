import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { type ActivityChange } from '../kernel/activity/record-activity.js';
import { ActiveProjects } from '../platform/work/active-projects.js';
import { type Author, type Requester } from '../kernel/access/author.js';
import { invalidInput, required } from '../platform/errors/problem.js';
import { isPostgresUnavailable } from '../platform/errors/store-errors.js';
import { assertUnchanged } from '../platform/http/read-only-fields.js';
import { type Upload } from '../platform/http/form.interceptor.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { type QuestionWarningDto } from '../filters/warnings/question-warning.dto.js';
import { QuestionWarnings, withoutCheck } from '../filters/warnings/question-warnings.js';
import { Projection } from '../kernel/projection/projection.js';
import { queueCalculation } from './record/calculations.repository.js';
import { Calculations } from './calculations.js';
import {
  type CheckedDefinition,
  CohortDefinitions,
  refuseUnreadable,
  withoutCriteria,
} from './saving/cohort-definitions.js';
import { type CreateCohortBody, type UpdateCohortBody } from './cohort-bodies.dto.js';
import { type CohortDto, type MembersChangeDto, type SavedCohortDto } from './cohort.dto.js';
import { lockCohort } from './record/cohort-lock.js';
import {
  type CohortRow,
  CohortsRepository,
  refuseOneTooMany,
  refuseWithoutRoom,
  toCohortDto,
} from './record/cohorts.repository.js';
import {
  assertSource,
  groupTypeOf,
  endCalculation,
  insertCohort,
  refuseMisfits,
  refuseOtherActor,
  refuseOtherMembers,
  refuseQuery,
  storeChange,
} from './saving/store-cohort.js';
import { changedDefinition, cohortLog, type Described, newQuery } from './saving/cohort-changes.js';
import { filtersIn, matchesIn } from './definition/definition.js';
import { noOutcome, QueryRuns } from './static/query-runs.js';
import { StaticSources } from './static/static-sources.js';
import {
  type MemberInput,
  type Sources,
  candidatesOf,
  readSources,
  refuseMergedCandidates,
  removeSources,
} from './static/sources.js';
import { ClickHouseUnavailable } from '../platform/clickhouse/errors.js';
import { memberKindOf } from '../kernel/memberships/record-members.js';
import { Postgres } from '../platform/postgres/postgres.js';

/** The sources of the members of a static cohort. A `query` excludes the other sources. */
interface MemberSource {
  readonly body: MemberInput;
  readonly upload: Upload | null;
  readonly query: string | object | null;
  /** The index of the type of the groups that are the members; null: they are persons. */
  readonly groupType: number | null;
}

/** Creates and changes cohorts. */
@Injectable()
export class CohortWrites {
  constructor(
    private readonly postgres: Postgres,
    private readonly rows: CohortsRepository,
    private readonly definitions: CohortDefinitions,
    private readonly calculations: Calculations,
    private readonly sources: StaticSources,
    private readonly runs: QueryRuns,
    private readonly projection: Projection,
    private readonly warnings: QuestionWarnings,
    private readonly active: ActiveProjects,
  ) {}

  async create(
    project: ProjectContext,
    body: CreateCohortBody,
    upload: Upload | null,
    author: Requester,
    wait: number,
  ): Promise<SavedCohortDto> {
    const isStatic = body.is_static === true;
    const query = body.query ?? null;
    const groupType = groupTypeOf(body);
    refuseQuery(query, body, upload, isStatic);
    refuseMisfits(body, upload, isStatic);
    refuseOtherMembers(body, groupType);
    if (isStatic) assertSource(body, upload, groupType);
    await this.definitions.assertGroupType(project, groupType);
    const definition = isStatic ? null : await this.definitionOf(project, body, author);
    await this.assertRoom(project);
    const stored = await this.withSources(project, { body, upload, query, groupType }, author, (sources) =>
      this.commit(async (client) => {
        if (definition) await this.definitions.resolve(client, project, definition, null);
        const made = await insertCohort(
          client,
          project,
          { name: body.name, description: body.description ?? '', groupType, definition, query },
          author,
        );
        const cohort = { id: made, groupType };
        if (query !== null) await this.runs.replace(client, project.id, cohort, sources, author.now);
        else if (isStatic) await this.sources.upload(client, project.id, cohort, sources, author.now);
        await refuseOneTooMany(client, project);
        return this.rows.find(project, made, client);
      }),
    );
    return this.saved(project, stored, definition, author.now, wait);
  }

  /**
   * Checks, before the sources of a cohort are read, that the project may have one more cohort. The transaction checks it again.
   */
  async assertRoom(project: ProjectContext): Promise<void> {
    await refuseWithoutRoom(this.postgres, project);
  }

  async update(
    project: ProjectContext,
    id: number,
    body: UpdateCohortBody,
    upload: Upload | null,
    author: Requester,
    wait: number,
  ): Promise<SavedCohortDto> {
    if (body.name === null) throw required('name');
    const stored = await this.rows.find(project, id);
    const { is_static: isStatic, group_type_index: groupType } = stored;
    refuseOtherActor(body, groupType);
    refuseOtherMembers(body, groupType);
    if (body.is_static !== undefined && body.is_static !== null && body.is_static !== isStatic) {
      const way = isStatic ? 'make a dynamic cohort' : `use duplicate_as_static_cohort`;
      throw invalidInput(`is_static cannot be changed: ${way} instead`, 'is_static');
    }
    const query = newQuery(stored.query, body.query);
    refuseQuery(query, body, upload, isStatic);
    refuseMisfits(body, upload, isStatic);
    const definition = await this.redefinition(project, stored, body, author);
    const after = await this.withSources(project, { body, upload, query, groupType }, author, (sources) =>
      this.commit(async (client) => {
        await lockCohort(client, project.id, id);
        const before = await this.rows.find(project, id, client);
        assertUnchanged(body, toCohortDto(before, null));
        // Another request may have changed the definition after the check, so the body is compared again.
        const current = definition ?? (await this.redefinition(project, before, body, author));
        await this.change(client, project, { before, body, definition: current }, author);
        const cohort = { id, groupType };
        if (query !== null) await this.runs.replace(client, project.id, cohort, sources, author.now);
        else if (isStatic) await this.sources.upload(client, project.id, cohort, sources, author.now);
        if (before.deleted) await refuseOneTooMany(client, project);
        return this.rows.find(project, id, client);
      }),
    );
    return this.saved(project, after, definition, author.now, wait);
  }

  /** Recalculates a cohort even if its definition has not changed. For a static cohort with a query, runs the query again. */
  async recalculate(
    project: ProjectContext,
    id: number,
    author: Requester,
    wait: number,
  ): Promise<CohortDto & MembersChangeDto> {
    const row = await this.rows.find(project, id);
    if (row.deleted) throw invalidInput('A deleted cohort is not calculated: restore it first', 'deleted');
    const cohort = await this.answer(project, await this.requestMembers(project, row, author), author.now, wait);
    return { ...cohort, ...(await unlessAway(() => this.runs.outcome(project, id), noOutcome)) };
  }

  private async requestMembers(project: ProjectContext, row: CohortRow, author: Requester): Promise<CohortRow> {
    const { id, name, query, group_type_index: groupType } = row;
    if (!row.is_static)
      return this.commit(async (client) => {
        await queueCalculation(client, project.id, id, author.now);
        return this.rows.find(project, id, client);
      });
    if (query === null) return row;
    return this.withSources(project, { body: {}, upload: null, query, groupType }, author, (sources) =>
      this.commit(async (client) => {
        await lockCohort(client, project.id, id);
        await this.runs.replace(client, project.id, { id, groupType }, sources, author.now);
        await cohortLog.record(client, project, { id, activity: 'recalculated', name, changes: [] }, author);
        return this.rows.find(project, id, client);
      }),
    );
  }

  /**
   * Answers a stored change. If a store is unavailable, the answer has no count instead of being an error, which would make the
   * caller send the change again.
   */
  answer(project: ProjectContext, stored: CohortRow, now: Date, wait: number): Promise<CohortDto> {
    const read = async (): Promise<CohortDto> => {
      if (wait > 0) await this.calculations.wait(project, stored.id, wait);
      return this.rows.get(project, stored.id, now);
    };
    return unlessAway(read, toCohortDto(stored, null));
  }

  /** Returns the saved cohort, with warnings about parts of its new definition that are probably mistakes. */
  private async saved(
    project: ProjectContext,
    stored: CohortRow,
    checked: CheckedDefinition | null,
    now: Date,
    wait: number,
  ): Promise<SavedCohortDto> {
    const [cohort, warnings] = await Promise.all([
      this.answer(project, stored, now, wait),
      checked ? this.warningsOf(project, checked, now) : [],
    ]);
    return warnings.length > 0 ? { ...cohort, warnings } : cohort;
  }

  private async warningsOf(
    project: ProjectContext,
    { definition }: CheckedDefinition,
    now: Date,
  ): Promise<QuestionWarningDto[]> {
    const named = { matches: matchesIn(definition), filters: filtersIn(definition) };
    const read = async () => {
      await this.projection.waitUntilFresh(project.id, now);
      return this.warnings.of(project, named);
    };
    return unlessAway(read, withoutCheck(named));
  }

  async commit<T>(work: (client: ClientBase) => Promise<T>): Promise<T> {
    const result = await this.postgres.transaction(work, { repeat: true });
    this.projection.wake();
    this.calculations.wake();
    return result;
  }

  private async withSources<T>(
    project: ProjectContext,
    from: MemberSource,
    author: Requester,
    work: (sources: Sources) => Promise<T>,
  ): Promise<T> {
    const sources = await this.read(project, from, author);
    try {
      return await work(sources);
    } finally {
      await removeSources(sources);
    }
  }

  private async read(project: ProjectContext, { body, upload, query, groupType }: MemberSource, author: Requester) {
    if (query !== null) return this.runs.select(project, query, author, groupType);
    const listed = await candidatesOf(body);
    await refuseMergedCandidates(this.postgres, project.id, listed);
    return readSources(listed, upload, this.active.pace(project.id), memberKindOf(groupType));
  }

  private async definitionOf(
    project: ProjectContext,
    body: CreateCohortBody,
    author: Requester,
  ): Promise<CheckedDefinition> {
    const definition = await this.definitions.read(project, body, author.now, groupTypeOf(body));
    if (!definition) throw withoutCriteria();
    refuseUnreadable(definition, author);
    return definition;
  }

  /** Returns null when the body contains no definition or the stored one. */
  private async redefinition(
    project: ProjectContext,
    stored: CohortRow,
    body: UpdateCohortBody,
    author: Requester,
  ): Promise<CheckedDefinition | null> {
    const changed = stored.is_static ? null : changedDefinition(stored, body);
    const definition = changed && (await this.definitions.read(project, changed, author.now, stored.group_type_index));
    if (definition) refuseUnreadable(definition, author);
    return definition;
  }

  private async change(
    client: ClientBase,
    project: ProjectContext,
    requested: { before: CohortRow; body: UpdateCohortBody; definition: CheckedDefinition | null },
    author: Author,
  ): Promise<void> {
    const { before, body, definition } = requested;
    const after = {
      name: body.name ?? before.name,
      description: body.description ?? before.description,
      groups: definition?.groups ?? before.groups,
      filters: definition?.filters ?? before.filters,
      query: body.query === undefined ? before.query : body.query,
      deleted: body.deleted ?? before.deleted,
    };
    const changes = cohortLog.differences<Described>(before, after);
    if (changes.length === 0) return;
    const checked =
      definition ??
      (before.deleted && !after.deleted && before.filters
        ? await this.definitions.check(
            project,
            { groups: after.groups, filters: before.filters, groupType: before.group_type_index },
            'filters',
            author.now,
          )
        : null);
    if (checked) await this.definitions.resolve(client, project, checked, before.id);
    if (!before.deleted && after.deleted) await this.definitions.refuseWhileUsed(client, project, before.id);
    await storeChange(client, project, before.id, { after, checked, now: author.now });
    if (after.deleted) await endCalculation(client, project.id, before.id);
    else if (!before.is_static && isCalculatedAnew(changes))
      await queueCalculation(client, project.id, before.id, author.now, { isRedefined: checked !== null });
    else if (before.deleted) await this.sources.resume(client, project.id, before.id);
    const entry = { id: before.id, activity: activityOf(before, after), name: after.name, changes };
    await cohortLog.record(client, project, entry, author);
  }
}

const unlessAway = async <T>(read: () => Promise<T>, otherwise: T): Promise<T> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ClickHouseUnavailable) return otherwise;
    if (error instanceof Error && isPostgresUnavailable(error)) return otherwise;
    throw error;
  }
};

/** True if the changes require a calculation: a new definition and a restored cohort do, a new name does not. */
const isCalculatedAnew = (changes: readonly ActivityChange[]): boolean =>
  changes.some(({ field }) => field === 'filters' || field === 'deleted');

const activityOf = (before: { deleted: boolean }, after: { deleted: boolean }): string => {
  if (before.deleted === after.deleted) return 'updated';
  return after.deleted ? 'deleted' : 'restored';
};
