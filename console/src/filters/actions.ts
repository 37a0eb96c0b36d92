import { useQuery } from '@tanstack/react-query';
import { answer } from '../api/client';
import { useOpenProject } from '../address/project-context';

interface NamedAction {
  readonly id: number;
  readonly name: string;
}

/** The saved actions of the project; none for those who may not read them. */
export const useActions = (): readonly NamedAction[] => {
  const { project, can } = useOpenProject();
  const projectId = String(project.id);
  const { data } = useQuery({
    ...answer('/api/projects/{project_id}/actions', { path: { project_id: projectId }, query: { limit: 1000 } }),
    enabled: can('action:read'),
    staleTime: 300_000,
  });
  return data?.results ?? [];
};

export const actionNameIn =
  (actions: readonly NamedAction[]) =>
  (id: number): string =>
    actions.find((action) => action.id === id)?.name || `Action ${id}`;
