import { Anchor, Group, Paper, ScrollArea, SegmentedControl, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { textOf, useQuestion } from '../../../address/search';
import { Chart, type ChartPoint } from '../../../charts/chart';
import { EmptyState } from '../../../ui/empty-state';
import { formatCount, formatNumber, formatTime } from '../../../ui/format';
import { ProblemAlert } from '../../../ui/problem-alert';
import { dayText } from '../../../charts/days';
import { type CohortProps } from '../cohort';
import { endOfDay, historyQuery, sumsOf, type CohortDay, type CohortHistory } from '../../../insights/cohort-history';
import { historyOption } from './history-option';

const spans = ['7', '30', '90'] as const;

/** How the cohort grew and shrank, day by day. */
export function HistoryTab({ projectId, cohort }: CohortProps) {
  const [question, ask] = useQuestion();
  const days = spans.find((span) => span === textOf(question['days'])) ?? '30';
  const { data, error, refetch, isPlaceholderData } = useQuery(historyQuery(projectId, cohort, Number(days)));
  if (cohort.count === null)
    return <EmptyState title="No history yet">The history begins with the first calculation of the cohort.</EmptyState>;
  if (error && !data) return <ProblemAlert error={error} onRetry={() => void refetch()} />;
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="sm">
        {data ? <Sums history={data} /> : <Skeleton height={20} width={220} />}
        <SegmentedControl
          size="xs"
          aria-label="Days of the history"
          data={spans.map((span) => ({ value: span, label: `${span} days` }))}
          value={days}
          onChange={(span) => ask({ days: span === '30' ? undefined : Number(span) })}
        />
      </Group>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {data ? (
        <History history={data} isOld={isPlaceholderData} openMembers={(as_of) => ask({ tab: 'members', as_of })} />
      ) : (
        <Skeleton height={360} role="status" aria-label="Loading the history" />
      )}
    </Stack>
  );
}

function Sums({ history }: { readonly history: CohortHistory }) {
  const { entered, left } = sumsOf(history.results);
  const net = entered - left;
  return (
    <Text size="sm" className="numbers" role="status">
      <b>{formatNumber(entered)}</b> entered, <b>{formatNumber(left)}</b> left, {net > 0 && '+'}
      {formatNumber(net)} in {formatCount(history.results.length, 'day')}
    </Text>
  );
}

interface HistoryProps {
  readonly history: CohortHistory;
  /** True while another number of days is on its way. */
  readonly isOld: boolean;
  readonly openMembers: (asOf: string | undefined) => void;
}

function History({ history, isOld, openMembers }: HistoryProps) {
  const { results } = history;
  const option = useMemo(() => historyOption(history), [history]);
  const openPoint = useCallback(
    ({ dataIndex }: ChartPoint) => openMembers(endOfDay(results, dataIndex)),
    [openMembers, results],
  );
  return (
    <Stack gap="md" style={{ opacity: isOld ? 0.6 : 1 }} aria-busy={isOld}>
      {results.length > 1 && (
        <Paper withBorder p="xs">
          <Chart
            option={option}
            label="Members, and who entered and left, day by day. The table below has the numbers."
            height={360}
            onPoint={openPoint}
          />
        </Paper>
      )}
      <DayTable days={results} openMembers={openMembers} />
      <Text size="xs" c="dimmed">
        {results.length < 2 && 'The picture begins with the second day. '}
        Days are those of {history.timezone}. Members are known since {formatTime(history.known_from, history.timezone)}
        , and for 90 days at most.
      </Text>
    </Stack>
  );
}

/** The numbers of the picture, newest first. The size of a day opens the members at its end. */
function DayTable({
  days,
  openMembers,
}: {
  readonly days: readonly CohortDay[];
  readonly openMembers: (asOf: string | undefined) => void;
}) {
  return (
    <Paper withBorder>
      <ScrollArea.Autosize
        mah={360}
        type="auto"
        offsetScrollbars="present"
        viewportProps={{ role: 'region', tabIndex: 0, 'aria-label': 'Numbers by day' }}
      >
        <Table stickyHeader highlightOnHover className="numbers" verticalSpacing={6} fz="sm" aria-label="History">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Day</Table.Th>
              <Table.Th ta="right">Members</Table.Th>
              <Table.Th ta="right">Entered</Table.Th>
              <Table.Th ta="right">Left</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {days
              .map((day, at) => (
                <Table.Tr key={day.date}>
                  <Table.Th scope="row" fw={500}>
                    {dayText(day.date, 'day')}
                  </Table.Th>
                  <Table.Td ta="right">
                    <Anchor
                      component="button"
                      type="button"
                      size="sm"
                      aria-label={`${formatCount(day.size, 'member')} at the end of ${dayText(day.date, 'day')}`}
                      onClick={() => openMembers(endOfDay(days, at))}
                    >
                      {formatNumber(day.size)}
                    </Anchor>
                  </Table.Td>
                  <Table.Td ta="right">{formatNumber(day.entered)}</Table.Td>
                  <Table.Td ta="right">{formatNumber(day.left)}</Table.Td>
                </Table.Tr>
              ))
              .reverse()}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
    </Paper>
  );
}
