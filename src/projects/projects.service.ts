import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { type ActivityAuthor, recordActivity } from '../activity/record-activity.js';
import { type Caller } from '../common/access/caller.js';
import { conflict, notFound, permissionDenied, required } from '../common/errors/problem.js';
import { type PageQuery } from '../common/pagination/page-query.js';
import { type Slice } from '../common/pagination/page.js';
import { type ProjectContext } from '../common/project-context.js';
import { type Author } from '../common/author.js';
import { randomBase62 } from '../common/random-token.js';
import { type CreateProjectDto, type ProjectDto, type UpdateProjectDto, toProjectDto } from './project.dto.js';
import { Project } from './project.entity.js';
import { projectActivity } from './project-activity.js';
import { bound, pgSql } from '../stores/postgres/sql.js';

const tokenLength = 43;

export const maxProjects = 1000;
/** The key of the lock that serializes the creation of projects. */
const lockKey = 7_262_012;

@Injectable()
export class ProjectsService {
  constructor(@InjectRepository(Project) private readonly projects: Repository<Project>) {}

  /** Lists the projects that the key opens, newest first like every list. */
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

  createFor(caller: Caller, body: CreateProjectDto, author: Author): Promise<ProjectDto> {
    if (caller.projectIds !== null) {
      throw permissionDenied('This key is limited to certain projects; only a key for all projects can create one');
    }
    return this.createBy(body, author);
  }

  create(body: CreateProjectDto, now: Date): Promise<ProjectDto> {
    return this.createBy(body, { userId: null, requestId: null, now });
  }

  private async createBy(body: CreateProjectDto, author: ActivityAuthor): Promise<ProjectDto> {
    const project = this.projects.create({
      uuid: uuidv7(),
      name: body.name,
      apiToken: `phc_${randomBase62(tokenLength)}`,
      timezone: body.timezone ?? 'UTC',
      weekStartDay: body.week_start_day ?? 0,
      personDisplayNameProperties: body.person_display_name_properties ?? ['email', 'name', 'username'],
      testAccountFilters: body.test_account_filters ?? [],
      pathCleaningFilters: body.path_cleaning_filters ?? [],
      createdAt: author.now,
    });
    return this.inTransaction(async (projects, client) => {
      await refuseOneTooMany(projects, client);
      await projects.insert(project);
      await recordActivity(client, project, projectActivity(project, null), author);
      return toProjectDto(project);
    });
  }

  async update(project: ProjectContext, body: UpdateProjectDto, author: Author): Promise<ProjectDto> {
    if (body.name === null) throw required('name');
    const changes = Object.fromEntries(
      Object.entries({
        name: body.name,
        timezone: body.timezone,
        weekStartDay: body.week_start_day,
        personDisplayNameProperties: body.person_display_name_properties,
        testAccountFilters: body.test_account_filters,
        pathCleaningFilters: body.path_cleaning_filters,
      }).filter(([, value]) => value !== undefined && value !== null),
    );
    if (Object.keys(changes).length === 0) return this.get(project);
    return this.inTransaction(async (projects, client) => {
      const before = await projects.findOne({ where: { id: project.id }, lock: { mode: 'pessimistic_write' } });
      if (!before) throw notFound();
      const after = { ...before, ...changes };
      await projects.update({ id: project.id }, changes);
      const activity = projectActivity(after, before);
      if (activity.changes.length > 0) await recordActivity(client, project, activity, author);
      return toProjectDto(after);
    });
  }

  private inTransaction<T>(work: (projects: Repository<Project>, client: ClientBase) => Promise<T>): Promise<T> {
    return this.projects.manager.transaction(async (manager) => {
      const client = (await manager.queryRunner?.connect()) as ClientBase;
      return work(manager.getRepository(Project), client);
    });
  }

  exists(): Promise<boolean> {
    return this.projects.exists();
  }
}

/** Two requests cannot both make the last allowed project: the second waits here until the first commits. */
const refuseOneTooMany = async (projects: Repository<Project>, client: ClientBase): Promise<void> => {
  await client.query(pgSql`SELECT pg_advisory_xact_lock(${bound(lockKey)})`);
  if ((await projects.count()) < maxProjects) return;
  throw conflict(`An installation can have at most ${maxProjects} projects: use an existing one`);
};
