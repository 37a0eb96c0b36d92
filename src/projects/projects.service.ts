import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { type Caller } from '../common/access/caller.js';
import { conflict, notFound, permissionDenied, required } from '../common/errors/problem.js';
import { type PageQuery } from '../common/pagination/page-query.js';
import { type Slice } from '../common/pagination/page.js';
import { type ProjectContext } from '../common/project-context.js';
import { randomBase62 } from '../common/random-token.js';
import { type CreateProjectDto, type ProjectDto, type UpdateProjectDto, toProjectDto } from './project.dto.js';
import { Project } from './project.entity.js';

const tokenLength = 43;

export const maxProjects = 1000;
/** Of the lock under which projects are made, one after another. */
const lockKey = 7_262_012;

@Injectable()
export class ProjectsService {
  constructor(@InjectRepository(Project) private readonly projects: Repository<Project>) {}

  /** Newest first, as every list; only what the key opens. */
  async list(caller: Caller, { limit, offset }: PageQuery): Promise<Slice<ProjectDto>> {
    const [found, count] = await this.projects.findAndCount({
      where: caller.projectIds === null ? {} : { id: In([...caller.projectIds]) },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: limit,
      skip: offset,
    });
    return { count, results: found.map(toProjectDto) };
  }

  async all(): Promise<ProjectDto[]> {
    return (await this.projects.find({ order: { id: 'ASC' } })).map(toProjectDto);
  }

  async get({ id }: Pick<ProjectContext, 'id'>): Promise<ProjectDto> {
    const project = await this.projects.findOneBy({ id });
    if (!project) throw notFound();
    return toProjectDto(project);
  }

  createFor(caller: Caller, body: CreateProjectDto, now: Date): Promise<ProjectDto> {
    if (caller.projectIds !== null) {
      throw permissionDenied('This key is limited to certain projects; only a key for all projects can create one');
    }
    return this.create(body, now);
  }

  async create(body: CreateProjectDto, now: Date): Promise<ProjectDto> {
    const project = this.projects.create({
      uuid: uuidv7(),
      name: body.name,
      apiToken: `phc_${randomBase62(tokenLength)}`,
      timezone: body.timezone ?? 'UTC',
      weekStartDay: body.week_start_day ?? 0,
      personDisplayNameProperties: body.person_display_name_properties ?? ['email', 'name', 'username'],
      testAccountFilters: body.test_account_filters ?? [],
      pathCleaningFilters: body.path_cleaning_filters ?? [],
      createdAt: now,
    });
    await this.projects.manager.transaction(async (manager) => {
      await manager.query('SELECT pg_advisory_xact_lock($1)', [lockKey]);
      if ((await manager.count(Project)) >= maxProjects) {
        throw conflict(`An installation can have ${maxProjects} projects, and this one has them: use one of these`);
      }
      await manager.insert(Project, project);
    });
    return toProjectDto(project);
  }

  async update(project: ProjectContext, body: UpdateProjectDto): Promise<ProjectDto> {
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
    if (Object.keys(changes).length > 0) await this.projects.update({ id: project.id }, changes);
    return this.get(project);
  }

  exists(): Promise<boolean> {
    return this.projects.exists();
  }
}
