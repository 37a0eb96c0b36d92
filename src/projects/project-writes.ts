import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { type Caller } from '../kernel/access/caller.js';
import { type Author } from '../kernel/access/author.js';
import { permissionDenied, required } from '../platform/errors/problem.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { cleaningFiltersOf, type CreateProjectBody, type ProjectDto, type UpdateProjectBody } from './project.dto.js';
import { readExpiryByName } from '../kernel/projects/event-expiry.js';
import { assertOwner } from './settings/owner-settings.js';
import { countArrivals } from '../kernel/event-log/quota/event-days.js';
import { readQuotas } from '../kernel/projects/quotas.js';
import { SettingsChecker, type CheckedSettings } from '../analytics/settings/settings-checker.js';
import { ProjectsService } from './projects.service.js';

/** The context of a project that does not exist yet. No project has the id 0, so its filters cannot name a cohort. */
const unborn: ProjectContext = {
  id: 0,
  timezone: 'UTC',
  weekStartDay: 0,
  personDisplayNameProperties: [],
  testAccountFilters: [],
  pathCleaningFilters: [],
};

/** Creates and changes projects for callers of the API. They may set everything, so the settings are checked first. */
@Injectable()
export class ProjectWrites {
  constructor(
    private readonly projects: ProjectsService,
    private readonly settings: SettingsChecker,
  ) {}

  async create(caller: Caller, body: CreateProjectBody, author: Author): Promise<ProjectDto> {
    assertEveryProject(caller);
    assertObjects(body);
    if (Object.values(body.quotas ?? {}).some((quota) => quota !== null)) assertOwner(caller, 'quotas');
    if (body.audit_reads === true) assertOwner(caller, 'audit_reads');
    await this.settings.check(unborn, changedSettings(body, unborn));
    return this.projects.insert(body, author);
  }

  async update(caller: Caller, project: ProjectContext, body: UpdateProjectBody, author: Author): Promise<ProjectDto> {
    if (body.name === null) throw required('name');
    assertObjects(body);
    await this.settings.check(project, changedSettings(body, project));
    return this.projects.update(project, body, author, {
      beforeOwnerSetting: (setting) => assertOwner(caller, setting),
      beforeEventQuota: (client) => countArrivals(client, project.id),
    });
  }
}

export const assertEveryProject = ({ projectIds, keyId }: Caller): void => {
  if (projectIds === null) return;
  if (keyId === null) throw permissionDenied('Only an owner of the installation creates projects');
  throw permissionDenied('This key is limited to certain projects; only a key for all projects can create one');
};

const assertObjects = ({ events_ttl_days_by_name: byName, quotas }: UpdateProjectBody): void => {
  if (byName !== undefined && byName !== null) readExpiryByName(byName, 'events_ttl_days_by_name');
  if (quotas !== undefined && quotas !== null) readQuotas(quotas, 'quotas');
};

/**
 * Returns the settings that differ from the stored ones. The others are not checked, even if the check would refuse them today.
 */
const changedSettings = (body: UpdateProjectBody, project: ProjectContext): CheckedSettings => {
  const [filters, rules] = [body.test_account_filters, cleaningFiltersOf(body)];
  return {
    ...(filters && !isDeepStrictEqual(filters, project.testAccountFilters) && { testAccountFilters: filters }),
    ...(rules && !isDeepStrictEqual(rules, project.pathCleaningFilters) && { pathCleaningFilters: rules }),
  };
};
