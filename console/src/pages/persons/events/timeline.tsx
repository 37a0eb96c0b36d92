import { Group, MultiSelect, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useQuestion } from '../../../address/search';
import { type DateRange } from '../../../ui/date-range';
import { DateRangePicker } from '../../../ui/date-range-picker';
import { formatCount, formatNumber } from '../../../ui/format';
import { ProblemAlert } from '../../../ui/problem-alert';
import { type PersonProps } from '../person';
import { PointDetail } from './point-detail';
import { propertiesOf, timelineQuery } from './timeline-query';
import { TimelinePicture } from './timeline-picture';

const rangeOf = (value: unknown): DateRange =>
  typeof value === 'object' && value !== null ? value : { date_from: 'all' };

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** The moments at which a property changed, drawn over time; the changes of the chosen moment are listed below. */
export function Timeline({ projectId, person, event }: PersonProps & { readonly event: string | undefined }) {
  const [question, ask] = useQuestion();
  const range = rangeOf(question['range']);
  const keys = listOf(question['changed']);
  const [chosen, setChosen] = useState<string | null>(null);
  const { data, error, refetch } = useQuery(
    timelineQuery(projectId, person.uuid, { date_from: range.date_from, date_to: range.date_to, event, keys }),
  );
  const points = data?.points ?? [];
  const index = Math.max(
    0,
    points.findIndex(({ timestamp }) => timestamp === chosen),
  );
  const point = points[index];
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h4">
            Changes of properties
          </Title>
          <Group gap="xs">
            <MultiSelect
              aria-label="Only changes of these properties"
              placeholder={keys.length === 0 ? 'Any property' : undefined}
              data={[...new Set([...Object.keys(person.properties), ...keys])].sort()}
              value={keys}
              onChange={(chosenKeys) => ask({ changed: chosenKeys.length > 0 ? chosenKeys : undefined })}
              searchable
              clearable
              limit={100}
              w={240}
            />
            <DateRangePicker value={range} fallback="All time" onChange={(changed) => ask({ range: changed })} />
          </Group>
        </Group>
        {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={110} role="status" aria-label="Loading the timeline" />}
        {data && point === undefined && (
          <Text size="sm" c="dimmed">
            No {event === undefined ? 'events' : `event ${event}`} in this time.
          </Text>
        )}
        {data && point && (
          <>
            <Text size="sm" c="dimmed" className="numbers">
              {formatNumber(points.length)} {points.length === 1 ? 'point' : 'points'},{' '}
              {formatCount(
                points.reduce((sum, { relevant_event_count: count }) => sum + count, 0),
                'relevant event',
              )}
              . Larger circles have more events until the next point.
            </Text>
            <TimelinePicture
              points={points}
              from={data.date_from ?? point.timestamp}
              chosen={index}
              onChoose={(index) => setChosen(points[index]?.timestamp ?? null)}
            />
            <PointDetail
              point={point}
              before={index === 0 ? null : propertiesOf(points[index - 1])}
              index={index}
              count={points.length}
              onMove={(by) => setChosen(points[index + by]?.timestamp ?? null)}
            />
          </>
        )}
      </Stack>
    </Paper>
  );
}
