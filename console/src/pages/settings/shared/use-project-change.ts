import { api } from '../../../api/client';
import { type Schemas } from '../../../api/types';
import { useProjectId } from '../../../address/project-context';
import { useChange } from '../../../ui/use-change';

/** Saves some settings of the project, on which all of its answers depend. */
export const useProjectChange = (message: string) => {
  const path = { project_id: useProjectId() };
  const { mutate, isPending, error } = useChange(
    (body: Schemas['UpdateProjectBody']) => api.PATCH('/api/projects/{project_id}', { params: { path }, body }),
    { refreshes: ['/api/projects', '/api/users/@me'], message, hasForm: true },
  );
  return { save: mutate, isPending, error };
};
