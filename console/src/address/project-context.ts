import { createContext, useContext } from 'react';
import { type Project } from '../api/types';

export interface OpenProject {
  readonly project: Project;
  /** True if the signed-in user has the scope in this project. */
  readonly can: (scope: string) => boolean;
}

export const ProjectContext = createContext<OpenProject | null>(null);

/** The project in the address, which the layout has loaded. */
export const useOpenProject = (): OpenProject => {
  const open = useContext(ProjectContext);
  if (!open) throw new Error('useOpenProject is used outside a project');
  return open;
};

export const useProject = (): Project => useOpenProject().project;

/** The path parameter of every request of this project. */
export const useProjectId = (): string => String(useProject().id);
