import { useQuery } from '@tanstack/react-query';
import { answer } from '../../api/client';
import { useProjectId } from '../../address/project-context';

/** The saved insight that the address names. */
export const useSavedInsight = (id: unknown) => {
  const projectId = useProjectId();
  const isNamed = typeof id === 'number';
  return useQuery({
    ...answer('/api/projects/{project_id}/insights/{id}', {
      path: { project_id: projectId, id: isNamed ? id : 0 },
    }),
    enabled: isNamed,
    retry: false,
  });
};
