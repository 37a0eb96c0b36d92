import { Anchor, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { dayLabels } from '../../charts/days';
import { useProjectId } from '../../address/project-context';
import { Card } from '../../ui/card';
import { formatNumber, formatShare } from '../../ui/format';
import { ProblemAlert } from '../../ui/problem-alert';
import { retentionParams, retentionQuery } from './overview-queries';
import classes from './overview.module.css';

/** So many weeks after the first one are shown. */
const shownWeeks = 3;

/** The newest rows of retention by week. */
export function RetentionRows({ event }: { readonly event: string }) {
  const projectId = useProjectId();
  const entity = { type: 'events', id: event };
  const params = { ...retentionParams, target_entity: entity, returning_entity: entity };
  const { data, error, refetch } = useQuery(retentionQuery(projectId, params));
  const labels = dayLabels(data?.dates ?? [], 'week');
  const rows = (data?.matrix ?? []).map((counts, at) => ({ counts, rates: data?.rates[at] ?? [], label: labels[at] }));
  const highest = Math.max(0.01, ...rows.flatMap(({ rates }) => rates.slice(1, shownWeeks + 1)));
  return (
    <Card
      title="Retention"
      aside={
        <Anchor component={Link} to={`/p/${projectId}/insights/retention`} search={params as never} size="sm">
          Open
        </Anchor>
      }
    >
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton h={150} role="status" aria-label="Loading the retention" />}
      {data && (
        <table className={`${classes.table} numbers`} aria-label="Retention by week">
          <thead>
            <tr>
              <th>Week of</th>
              <th>Persons</th>
              {Array.from({ length: shownWeeks }, (_, week) => (
                <th key={week}>Week {week + 1}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ counts, rates, label }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{formatNumber(counts[0] ?? 0)}</td>
                {Array.from({ length: shownWeeks }, (_, at) => rates[at + 1]).map((rate, at) => (
                  <td
                    key={at}
                    // The newest week of a row is not over.
                    className={at + 2 === counts.length ? classes.growing : undefined}
                    style={
                      rate
                        ? { background: `rgb(91 99 233 / ${(0.08 + 0.5 * (rate / highest)).toFixed(3)})` }
                        : undefined
                    }
                  >
                    {rate === undefined || counts[0] === 0 ? '' : formatShare(rate)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Text size="xs" c="dimmed" mt="xs">
        Persons who came back with {event}
      </Text>
    </Card>
  );
}
