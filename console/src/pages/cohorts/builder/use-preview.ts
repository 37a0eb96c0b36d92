import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, bodyOf, keyOf } from '../../../api/client';
import { membersOf } from '../cohort';
import { type CohortDefinition } from './definition';

const path = '/api/projects/{project_id}/cohorts/preview';

/**
 * The persons, or the accounts of a type, that a definition, as JSON, describes now. The request goes out a moment after the last change; a question that another
 * one follows is cancelled, and the number before stays until the next one comes.
 */
export const usePreview = (projectId: string, definition: string | null, groupType: number | null) => {
  const [debounced] = useDebouncedValue(definition, 400);
  const query = useQuery({
    queryKey: keyOf(path, projectId, debounced, groupType),
    queryFn: ({ signal }) =>
      bodyOf(
        api.POST(path, {
          params: { path: { project_id: projectId } },
          body: { filters: JSON.parse(debounced ?? '') as CohortDefinition, ...membersOf(groupType) },
          signal,
        }),
      ),
    enabled: debounced !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const isCurrent = debounced === definition;
  return {
    preview: definition === null ? undefined : query.data,
    /** About this definition, not about one before it. */
    error: isCurrent ? query.error : null,
    isCounting: definition !== null && (!isCurrent || query.isFetching),
    retry: () => void query.refetch(),
  };
};
