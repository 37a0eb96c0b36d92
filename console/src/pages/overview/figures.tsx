import { Anchor, Paper, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { dayText } from '../../charts/days';
import { useProjectId } from '../../address/project-context';
import { formatNumber, formatShare, formatShort } from '../../ui/format';
import { ProblemAlert } from '../../ui/problem-alert';
import { activesParams, figureParams, figuresParams, trendsQuery } from './overview-queries';
import classes from './overview.module.css';

const labels = ['Active persons', 'New persons', 'Events'] as const;

interface Points {
  readonly days: readonly string[];
  readonly data: readonly number[];
  readonly count: number;
}

/** The days that are over, beside the same days before: today is not over, and would look like a fall. */
const changeOf = (now: Points, before: Points): number | null => {
  const [sum, earlier] = [now, before].map(({ data }) => data.slice(0, -1).reduce((all, value) => all + value, 0));
  return sum === undefined || !earlier ? null : sum / earlier - 1;
};

/** The numbers of the project at a glance. */
export function Figures({ days }: { readonly days: number }) {
  const projectId = useProjectId();
  const figures = useQuery(trendsQuery(projectId, figuresParams(days)));
  const actives = useQuery(trendsQuery(projectId, activesParams(days)));
  if (figures.error) return <ProblemAlert error={figures.error} onRetry={() => void figures.refetch()} />;
  const lines = (figures.data?.series ?? []) as unknown as readonly (Points & {
    readonly order: number;
    readonly compare_label: string | null;
  })[];
  const lineOf = (order: number, label: string) =>
    lines.find((line) => line.order === order && line.compare_label === label);
  return (
    <SimpleGrid cols={3} spacing={{ base: 'xs', sm: 'md' }}>
      {labels.map((label, order) => {
        const now = lineOf(order, 'current');
        const before = lineOf(order, 'previous');
        const total = order === 0 ? actives.data?.series[0]?.count : now?.count;
        return (
          <Figure
            key={label}
            label={label}
            total={total}
            points={now}
            change={now && before ? changeOf(now, before) : null}
            to={{ to: `/p/${projectId}/insights/trends`, search: figureParams(days, order) as never }}
          />
        );
      })}
    </SimpleGrid>
  );
}

interface FigureProps {
  readonly label: string;
  readonly total: number | undefined;
  readonly points: Points | undefined;
  readonly change: number | null;
  readonly to: { readonly to: string; readonly search: never };
}

function Figure({ label, total, points, change, to }: FigureProps) {
  return (
    <Paper withBorder p={{ base: 'xs', sm: 'md' }} component="section" aria-label={label} miw={0}>
      <Anchor
        component={Link}
        {...to}
        c="inherit"
        fz={{ base: 'xs', sm: 'sm' }}
        fw={600}
        style={{ whiteSpace: 'nowrap' }}
      >
        {label}
      </Anchor>
      {total === undefined ? (
        <Skeleton h={36} my={4} role="status" aria-label={`Loading ${label}`} />
      ) : (
        <Text fz={{ base: 24, sm: 32 }} fw={700} lh={1.3} className="numbers" title={formatNumber(total)}>
          <span className={classes.exact}>{formatNumber(total)}</span>
          <span className={classes.short} aria-hidden>
            {formatShort(total)}
          </span>
        </Text>
      )}
      <Text size="xs" c="dimmed" title="The days that are over, and as many days before">
        {change === null ? '\u00a0' : `${change >= 0 ? '▲' : '▼'} ${formatShare(Math.abs(change))}`}
        {change !== null && <span className={classes.exact}> vs. the days before</span>}
      </Text>
      <Bars label={label} points={points} />
    </Paper>
  );
}

/** Drawn without the chart library, which would be half of what this first page loads. */
function Bars({ label, points }: Pick<FigureProps, 'label' | 'points'>) {
  const { days = [], data = [] } = points ?? {};
  const most = Math.max(1, ...data);
  return (
    <div
      className={classes.bars}
      role="img"
      aria-label={`${label} by day: ${days.map((day, at) => `${dayText(day, 'day')}: ${formatNumber(data[at] ?? 0)}`).join(', ')}`}
    >
      {data.map((value, at) => (
        <div
          key={days[at]}
          className={at === data.length - 1 ? `${classes.bar} ${classes.unfinished}` : classes.bar}
          title={`${dayText(days[at] ?? '', 'day')}: ${formatNumber(value)}${at === data.length - 1 ? ', so far' : ''}`}
          style={{ height: `${(100 * value) / most}%` }}
        />
      ))}
    </div>
  );
}
