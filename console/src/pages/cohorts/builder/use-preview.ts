import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { sendJson } from '../../../api/client';
import { type Person, type QuestionWarning } from '../../../api/types';

export interface Preview {
  readonly count: number;
  /** Ten of the persons. */
  readonly results: readonly Person[];
  readonly warnings?: readonly QuestionWarning[];
}

/**
 * The persons that a definition describes now. The request goes out a moment after the last change; a question that another one follows
 * is cancelled, and the number before stays until the next one comes.
 */
export const usePreview = (projectId: string, definition: string | null) => {
  const [settled] = useDebouncedValue(definition, 400);
  const query = useQuery({
    queryKey: ['cohort-preview', projectId, settled],
    queryFn: ({ signal }) =>
      sendJson<Preview>(
        'POST',
        `/api/projects/${projectId}/cohorts/preview`,
        { filters: JSON.parse(settled ?? '') as unknown },
        signal,
      ),
    enabled: settled !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const isSettled = settled === definition;
  return {
    preview: definition === null ? undefined : query.data,
    /** About this definition, not about one before it. */
    error: isSettled ? query.error : null,
    isCounting: definition !== null && (!isSettled || query.isFetching),
    retry: () => void query.refetch(),
  };
};
