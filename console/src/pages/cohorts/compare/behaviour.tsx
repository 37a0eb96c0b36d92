import { Anchor, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { answer, get, keyOf } from '../../../api/client';
import { type Schemas } from '../../../api/types';
import { NumberCell } from '../../../insights/answer/number-cell';
import { PersonsDrawer } from '../../../insights/persons/persons-drawer';
import { requestOf, type Params } from '../../../insights/question/params';
import { usePersonsBehind } from '../../../insights/use-persons-behind';
import { type DateRange } from '../../../ui/date-range';
import { EmptyState } from '../../../ui/empty-state';
import { formatNumber, formatShare } from '../../../ui/format';
import { ProblemAlert } from '../../../ui/problem-alert';
import { type Pair } from './overlap';
import classes from './compare.module.css';

const route = '/api/projects/{project_id}/persons/trends';
/** So many of the most frequent events are compared. */
const mostEvents = 12;
const colors = [classes.first, classes.second];

interface BehaviourProps extends Pair {
  readonly range: DateRange;
  readonly picker: ReactNode;
}

interface Row {
  readonly order: number;
  readonly event: string;
  /** The persons of each cohort who did it, and their share of its members who did anything. */
  readonly counts: readonly [number, number];
  readonly shares: readonly [number, number];
}

/** What share of each cohort's members did each event, the largest difference first. */
export function Behaviour({ projectId, ids, names, range, picker }: BehaviourProps) {
  const events = useQuery(
    answer('/api/projects/{project_id}/catalogue/events', {
      path: { project_id: projectId },
      query: { limit: mostEvents },
    }),
  );
  const asked = useMemo(
    () => [null, ...(events.data?.results ?? []).filter(({ hidden }) => !hidden).map(({ name }) => name)],
    [events.data],
  );
  const [a, b] = ids;
  const params = useMemo<Params>(
    () => ({
      events: asked.map((id, order) => ({ id, order, math: 'dau' })),
      breakdowns: [{ type: 'cohort', property: [a, b] }],
      display: 'ActionsBarValue',
      ...range,
    }),
    [asked, a, b, range],
  );
  const { data, error, refetch } = useQuery({
    queryKey: keyOf(route, 'comparison', projectId, params),
    queryFn: async ({ signal }) => {
      const { insight } = await get(route, requestOf(projectId, { ...params, include: 'insight' }), signal);
      return insight as Schemas['TrendsDto'] | undefined;
    },
    enabled: events.isSuccess,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });
  const { openPersons, drawer } = usePersonsBehind(route, params);
  const rows = useMemo(() => (data ? rowsOf(data, asked, ids) : []), [data, asked, ids]);
  const active = rows.find(({ order }) => order === 0)?.counts;
  const problem = error ?? events.error;
  return (
    <Paper withBorder p="md" component="section" aria-label="Behaviour">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h5">
            Behaviour
          </Title>
          {picker}
        </Group>
        <Group gap="lg">
          {names.map((name, at) => (
            <Group key={at} gap={8} wrap="nowrap">
              <span className={`${classes.mark} ${colors[at]}`} aria-hidden />
              <Text size="sm">
                {name}
                {active && (
                  <Text span size="sm" c="dimmed" className="numbers">
                    {' '}
                    · {formatNumber(active[at] ?? 0)} active
                  </Text>
                )}
              </Text>
            </Group>
          ))}
        </Group>
        <Text size="sm" c="dimmed">
          The share of active members who did each event at least once, largest difference first
        </Text>
        {problem && <ProblemAlert error={problem} onRetry={() => void refetch()} />}
        {!data && !problem && <Skeleton h={320} role="status" aria-label="Comparing the cohorts" />}
        {data && active && Math.max(...active) === 0 && (
          <EmptyState kind="chart" title="No activity">
            Neither cohort did anything in this time. Choose a longer range.
          </EmptyState>
        )}
        <div role="table" aria-label="Behaviour">
          {rows
            .filter(({ order, counts }) => order > 0 && Math.max(...counts) > 0)
            .map(({ order, event, counts, shares }) => (
              <div key={event} className={classes.row} role="row">
                <Text size="sm" fw={550} role="rowheader" truncate title={event}>
                  {event}
                </Text>
                <Stack gap={6} role="cell">
                  {([0, 1] as const).map((at) => (
                    <div key={at} className={classes.line}>
                      <div className={classes.bar}>
                        <div className={colors[at]} style={{ width: `${shares[at] * 100}%` }} />
                      </div>
                      <Text size="xs" component="div" className="numbers" truncate>
                        {formatShare(shares[at])} ·{' '}
                        <NumberCell
                          cell={{
                            value: counts[at],
                            point: {
                              title: `${names[at]} · ${event}`,
                              params: { series: order, breakdown_value: JSON.stringify(String(ids[at])) },
                            },
                          }}
                          openPersons={openPersons}
                        />
                      </Text>
                    </div>
                  ))}
                </Stack>
                <Text size="sm" ta="right" role="cell" className="numbers" fw={600}>
                  {differenceText(shares)}
                </Text>
              </div>
            ))}
        </div>
        {data && (
          <Anchor
            component={Link}
            to={`/p/${projectId}/insights/trends`}
            search={params as never}
            size="sm"
            style={{ alignSelf: 'flex-start' }}
          >
            Open in Insights
          </Anchor>
        )}
      </Stack>
      <PersonsDrawer {...drawer} />
    </Paper>
  );
}

const differenceText = ([first, second]: Row['shares']): string => {
  const points = (second - first) * 100;
  const text = new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(Math.abs(points));
  return text === '0' ? '0 pp' : `${points > 0 ? '+' : '−'}${text} pp`;
};

const rowsOf = (
  { series }: Schemas['TrendsDto'],
  asked: readonly (string | null)[],
  ids: readonly [number, number],
): Row[] => {
  const countsOf = (order: number): [number, number] => {
    const countOf = (id: number): number =>
      series.find((one) => one.order === order && one.breakdown_value === String(id))?.count ?? 0;
    return [countOf(ids[0]), countOf(ids[1])];
  };
  const active = countsOf(0);
  const shareOf = (count: number, of: number): number => (of === 0 ? 0 : count / of);
  return asked
    .map((event, order): Row => {
      const counts = countsOf(order);
      return {
        order,
        event: event ?? '',
        counts,
        shares: [shareOf(counts[0], active[0]), shareOf(counts[1], active[1])],
      };
    })
    .sort((x, y) => Math.abs(y.shares[1] - y.shares[0]) - Math.abs(x.shares[1] - x.shares[0]));
};
