import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, bodyOf, keyOf } from '../../api/client';
import { type Schemas } from '../../api/types';
import { useProjectId } from '../../address/project-context';
import { type AlertRule } from './alert-draft';

const path = '/api/projects/{project_id}/alerts/backtest';

export const backtestDays = 90;

/** What an alert would have decided in the past, a moment after the last change of its rule. */
export const useBacktest = (rule: AlertRule | null) => {
  const projectId = useProjectId();
  const wanted = rule === null ? null : JSON.stringify(rule);
  const [debounced] = useDebouncedValue(wanted, 400);
  const query = useQuery({
    queryKey: keyOf(path, projectId, debounced),
    queryFn: ({ signal }) =>
      bodyOf(
        api.POST(path, {
          params: { path: { project_id: projectId }, query: { days: backtestDays } },
          body: JSON.parse(debounced ?? '') as Schemas['BacktestBody'],
          signal,
        }),
      ),
    enabled: debounced !== null,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const isCurrent = debounced === wanted;
  return {
    backtest: wanted === null ? undefined : query.data,
    error: isCurrent ? query.error : null,
    isCounting: wanted !== null && (!isCurrent || query.isFetching),
  };
};
