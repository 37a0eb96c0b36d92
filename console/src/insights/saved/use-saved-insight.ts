import { useQuery } from '@tanstack/react-query';
import { type SavedInsight } from '../../api/insights';
import { getJson } from '../../api/client';
import { useProjectId } from '../../address/project-context';

/** The saved insight that the address names. */
export const useSavedInsight = (id: unknown) => {
  const projectId = useProjectId();
  const isNamed = typeof id === 'number';
  return useQuery({
    queryKey: ['insights', projectId, 'one', id],
    queryFn: ({ signal }) =>
      getJson<SavedInsight>(`/api/projects/${projectId}/insights/${encodeURIComponent(String(id))}`, signal),
    enabled: isNamed,
    retry: false,
  });
};
