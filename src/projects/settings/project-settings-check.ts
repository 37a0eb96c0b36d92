import { type ProjectContext } from '../../kernel/access/project-context.js';

/** The settings whose faults only ClickHouse and the cohorts of the project can show. */
export type CheckedSettings = Partial<Pick<ProjectContext, 'testAccountFilters' | 'pathCleaningFilters'>>;

/**
 * Refuses settings that later questions could not use, and names the path of the fault. Filters and paths lie above projects,
 * so the module that asks questions provides the implementation.
 */
export abstract class ProjectSettingsCheck {
  abstract check(project: ProjectContext, settings: CheckedSettings): Promise<void>;
}
