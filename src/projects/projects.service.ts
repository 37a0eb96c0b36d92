import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type ClientBase } from 'pg';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { type ActivityAuthor, recordActivity } from '../kernel/activity/record-activity.js';
import { type Caller } from '../kernel/access/caller.js';
import { conflict, notFound } from '../platform/errors/problem.js';
import { assertUnchanged } from '../platform/http/read-only-fields.js';
import { validBody } from '../platform/http/validation.js';
import { type PageQuery, type Slice } from '../platform/http/page.dto.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { type Author } from '../kernel/access/author.js';
import {
  cleaningFiltersOf,
  type CreateProjectBody,
  NewProjectBody,
  type ProjectDto,
  type UpdateProjectBody,
  toProjectDto,
} from './project.dto.js';
import { ProjectDeletion } from '../kernel/projects/project-deletion.entity.js';
import { Project } from '../kernel/projects/project.entity.js';
import { newProjectToken } from './tokens/project-token.js';
import { projectActivity } from './project-activity.js';
import { type OwnerSetting } from './settings/owner-settings.js';
import { quotaColumnsOf, quotasOfProject } from './settings/quota-settings.js';
import { upsertGate, waitForWritersOf } from '../kernel/projects/projects.repository.js';
import { Postgres } from '../platform/postgres/postgres.js';
import { repeated } from '../platform/postgres/transaction.js';
import { bound, pgSql } from '../platform/postgres/sql.js';

export const maxProjects = 1000;
/** The key of the advisory lock under which projects are created. */
const lockKey = 7_262_012;

interface ChangeHooks {
  /** Throws when the caller may not change the setting. */
  readonly beforeOwnerSetting: (setting: OwnerSetting) => void;
  /** Called before a project without a quota of events gets one. */
  readonly beforeEventQuota: (client: ClientBase) => Promise<void>;
}

@Injectable()
export class ProjectsService {
  constructor(
    @InjectRepository(Project) private readonly projects: Repository<Project>,
    @InjectRepository(ProjectDeletion) private readonly deletions: Repository<ProjectDeletion>,
    private readonly postgres: Postgres,
  ) {}

  /** Lists the projects that the caller opens, newest first. */
  async list(caller: Caller, { limit, offset }: PageQuery): Promise<Slice<ProjectDto>> {
    const [projects, count] = await this.projects.findAndCount({
      where: caller.projectIds === null ? {} : { id: In([...caller.projectIds]) },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: limit,
      skip: offset,
    });
    return { count, results: projects.map(toProjectDto) };
  }

  async all(): Promise<ProjectDto[]> {
    return (await this.projects.find({ order: { id: 'ASC' } })).map(toProjectDto);
  }

  async get({ id }: Pick<ProjectContext, 'id'>): Promise<ProjectDto> {
    const project = await this.projects.findOneBy({ id });
    if (!project) throw notFound();
    return toProjectDto(project);
  }

  /** Creates a project for an operator, who sets nothing that a `SettingsChecker` must check. */
  async create(project: NewProjectBody, now: Date): Promise<ProjectDto> {
    await this.assertValid(project);
    return this.insert(project, { userId: null, requestId: null, now });
  }

  async assertValid(project: NewProjectBody): Promise<void> {
    await validBody(NewProjectBody, { ...project });
  }

  /** Creates a project with settings that were checked. */
  async insert(body: CreateProjectBody, author: ActivityAuthor): Promise<ProjectDto> {
    const project = this.projects.create({
      uuid: uuidv7(),
      name: body.name,
      apiToken: newProjectToken(),
      ...{ previousApiToken: null, previousApiTokenUntil: null },
      timezone: body.timezone ?? 'UTC',
      weekStartDay: body.week_start_day ?? 0,
      personDisplayNameProperties: body.person_display_name_properties ?? ['email', 'name', 'username'],
      testAccountFilters: body.test_account_filters ?? [],
      pathCleaningFilters: cleaningFiltersOf(body) ?? [],
      eventsTtlDays: body.events_ttl_days ?? null,
      eventsTtlDaysByName: body.events_ttl_days_by_name ?? {},
      auditReads: body.audit_reads ?? false,
      cookielessVisitors: body.cookieless_visitors ?? false,
      protectedPersonProperties: body.protected_person_properties ?? [],
      protectedGroupProperties: body.protected_group_properties ?? [],
      protectedMerges: body.protected_merges ?? false,
      dashboardLinksForbidden: body.dashboard_links_forbidden ?? false,
      ...{ quotaEventsPerDay: null, quotaCohorts: null, quotaMembers: null, ...quotaColumnsOf(body.quotas) },
      ...{ createdAt: author.now, deletedAt: null },
    });
    const insertion = this.projects.createQueryBuilder().insert().values(project).returning('id');
    return this.postgres.transaction(async (client) => {
      await refuseOneTooMany(client);
      const { rows } = await client.query<{ id: number }>(...insertion.getQueryAndParameters());
      if (!rows[0]) throw new Error('The insertion of a project returned no id');
      const made = { ...project, id: rows[0].id };
      await upsertGate(client, made.id);
      await recordActivity(client, made, projectActivity(made, null), author);
      return toProjectDto(made);
    });
  }

  /** Stores settings that were checked. */
  async update(
    project: ProjectContext,
    body: UpdateProjectBody,
    author: Author,
    { beforeOwnerSetting, beforeEventQuota }: ChangeHooks,
  ): Promise<ProjectDto> {
    const change = async (projects: Repository<Project>, client: ClientBase): Promise<ProjectDto> => {
      const before = await projects.findOne({ where: { id: project.id }, lock: { mode: 'for_no_key_update' } });
      if (!before) throw notFound();
      assertUnchanged(body, toProjectDto(before));
      const changes = changesIn(body);
      const after = { ...before, ...changes };
      if (!isDeepStrictEqual(quotasOfProject(after), quotasOfProject(before))) beforeOwnerSetting('quotas');
      if (after.auditReads !== before.auditReads) beforeOwnerSetting('audit_reads');
      if (before.quotaEventsPerDay === null && after.quotaEventsPerDay !== null) {
        // From here on, writers of events wait until this transaction ends, and then compare their events with the quota.
        await waitForWritersOf(client, project.id);
        await beforeEventQuota(client);
      }
      if (Object.keys(changes).length > 0) await projects.update({ id: project.id }, changes);
      await upsertGate(client, project.id);
      const activity = projectActivity(after, before);
      if (activity.changes.length > 0) await recordActivity(client, project, activity, author);
      return toProjectDto(after);
    };
    return repeated(() => this.inTransaction(change));
  }

  private inTransaction<T>(work: (projects: Repository<Project>, client: ClientBase) => Promise<T>): Promise<T> {
    return this.projects.manager.transaction(async (manager) => {
      const client = (await manager.queryRunner?.connect()) as ClientBase;
      return work(manager.getRepository(Project), client);
    });
  }

  /**
   * True if there is or was a project. An owner who deletes the last project does not expect a new installation at the next
   * start.
   */
  async exists(): Promise<boolean> {
    return (await this.projects.exists()) || (await this.deletions.exists());
  }
}

/**
 * Returns the settings in the body, by their names in the entity. Null is a value only for `events_ttl_days` and single quotas.
 */
const changesIn = (body: UpdateProjectBody): Partial<Project> => ({
  ...(body.events_ttl_days !== undefined && { eventsTtlDays: body.events_ttl_days }),
  ...quotaColumnsOf(body.quotas),
  ...(Object.fromEntries(
    Object.entries({
      name: body.name,
      timezone: body.timezone,
      weekStartDay: body.week_start_day,
      personDisplayNameProperties: body.person_display_name_properties,
      testAccountFilters: body.test_account_filters,
      pathCleaningFilters: cleaningFiltersOf(body),
      eventsTtlDaysByName: body.events_ttl_days_by_name,
      auditReads: body.audit_reads,
      cookielessVisitors: body.cookieless_visitors,
      protectedPersonProperties: body.protected_person_properties,
      protectedGroupProperties: body.protected_group_properties,
      protectedMerges: body.protected_merges,
      dashboardLinksForbidden: body.dashboard_links_forbidden,
    }).filter(([, value]) => value !== undefined && value !== null),
  ) as Partial<Project>),
});

/**
 * Refuses a project beyond the limit. A second request waits here until the first commits, so two requests cannot both make the
 * last allowed project.
 */
const refuseOneTooMany = async (client: ClientBase): Promise<void> => {
  await client.query(pgSql`SELECT pg_advisory_xact_lock(${bound(lockKey)})`);
  const { rows } = await client.query<{ count: string }>(pgSql`SELECT count(*) FROM projects WHERE deleted_at IS NULL`);
  if (Number(rows[0]?.count) < maxProjects) return;
  throw conflict(`An installation can have at most ${maxProjects} projects: use an existing one`);
};
