import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answer } from '../../api/client';
import { useOpenProject, useProjectId } from '../../address/project-context';
import { marksOf, type ChartMark } from '../../charts/marks';
import { hasPoints, isPrevious, type TrendsInsight } from './trends';

const mostMarks = 100;

/** The points of the current range. */
export const daysOf = ({ series }: TrendsInsight): readonly string[] => {
  const lines = series.filter(hasPoints);
  return (lines.find((line) => !isPrevious(line)) ?? lines[0])?.days ?? [];
};

/** The marks of the annotations of the project in the range of the picture; none until they are there. */
export const useAnnotations = (insight: TrendsInsight, hasAxis: boolean): readonly ChartMark[] => {
  const { can } = useOpenProject();
  const { date_from, date_to } = insight;
  const { data } = useQuery({
    ...answer('/api/projects/{project_id}/annotations', {
      path: { project_id: useProjectId() },
      query: { scope: 'project', date_from, date_to, limit: mostMarks },
    }),
    enabled: hasAxis && can('annotation:read'),
  });
  return useMemo(
    () => (hasAxis ? marksOf(data?.results ?? [], { ...insight, days: daysOf(insight) }) : []),
    [data, insight, hasAxis],
  );
};
