import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, bodyOf, keyOf } from '../../../api/client';
import { type Schemas } from '../../../api/types';
import { useProjectId } from '../../../address/project-context';

const path = '/api/projects/{project_id}/feature_flags/preview';

/** Before the flag has a key, its percentages are drawn for this one. */
const anyKey = 'new-flag';

/** Who gets what, for rules as JSON, a moment after their last change; the number before stays until the next one comes. */
export const useFlagPreview = (key: string, rules: string | null) => {
  const projectId = useProjectId();
  const wanted = rules === null ? null : JSON.stringify({ key: key.trim() || anyKey, rules });
  const [debounced] = useDebouncedValue(wanted, 400);
  const query = useQuery({
    queryKey: keyOf(path, projectId, debounced),
    queryFn: ({ signal }) => {
      const asked = JSON.parse(debounced ?? '') as { key: string; rules: string };
      return bodyOf(
        api.POST(path, {
          params: { path: { project_id: projectId } },
          body: { key: asked.key, filters: JSON.parse(asked.rules) as Schemas['FlagRules'] },
          signal,
        }),
      );
    },
    enabled: debounced !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const isCurrent = debounced === wanted;
  return {
    preview: wanted === null ? undefined : query.data,
    /** About these rules, not about those before them. */
    error: isCurrent ? query.error : null,
    isCounting: wanted !== null && (!isCurrent || query.isFetching),
    retry: () => void query.refetch(),
  };
};
