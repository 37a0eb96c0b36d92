import { useQuery } from '@tanstack/react-query';
import { answer } from '../api/client';
import { type AccountType } from '../api/types';
import { useOpenProject } from '../address/project-context';

export const accountTypesQuery = (projectId: string) =>
  answer('/api/projects/{project_id}/groups_types', { path: { project_id: projectId } });

const none: readonly AccountType[] = [];

/** The types of accounts of the project; none for those who may not read accounts. */
export const useAccountTypes = (): readonly AccountType[] => {
  const { project, can } = useOpenProject();
  const { data } = useQuery({
    ...accountTypesQuery(String(project.id)),
    enabled: can('group:read'),
    staleTime: 300_000,
  });
  return data ?? none;
};
