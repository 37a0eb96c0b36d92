import { type Project } from '../../../api/types';
import { useProjectId } from '../../../address/project-context';
import { useChange } from './use-change';

/** Saves some settings of the project, on which insights depend too. */
export const useProjectChange = (message: string) => {
  const projectId = useProjectId();
  const { mutate, isPending, error } = useChange<Project>({
    refreshes: ['project', 'projects', 'account', 'insight', 'activity'],
    message,
    hasForm: true,
  });
  const save = (body: Partial<Project>): void =>
    mutate({ method: 'PATCH', address: `/api/projects/${projectId}`, body });
  return { save, isPending, error };
};
