import { Group, Table, Text } from '@mantine/core';
import { type Schemas } from '../../../api/types';
import { ProblemAlert } from '../../../ui/problem-alert';
import { formatCount, formatNumber, formatTime } from '../../../ui/format';

export type RetentionPreview = Schemas['ExpiryPreviewDto'];

interface ExpiryPreviewProps {
  readonly preview: RetentionPreview | undefined;
  readonly error: Error | null;
  readonly timezone: string;
}

const mostNames = 5;
/** The newest months are those that a smaller number of days adds. */
const mostMonths = 12;

/** Shows what the form, as it is now, would remove. */
export function ExpiryPreview({ preview, error, timezone }: ExpiryPreviewProps) {
  if (error) return <ProblemAlert error={error} />;
  if (!preview) return null;
  const { total, oldest, next_run: nextRun, events, months } = preview;
  return (
    <>
      <Text size="sm" component="div" aria-live="polite">
        {total === 0 || oldest === null
          ? `The next run, on ${formatTime(nextRun, timezone)}, would remove no events.`
          : `The next run, on ${formatTime(nextRun, timezone)}, would remove ${formatCount(total, 'event')}, the oldest from ${formatTime(oldest, timezone)}.`}
      </Text>
      {total > 0 && (
        <Group align="flex-start" gap="xl">
          <Counts
            title="Event"
            rows={events.slice(0, mostNames).map(({ event, count }) => [event, count])}
            more={preview.event_names - mostNames}
          />
          <Counts
            title="Month (UTC)"
            rows={months.slice(-mostMonths).map(({ month, count }) => [month, count])}
            more={months.length - mostMonths}
          />
        </Group>
      )}
    </>
  );
}

interface CountsProps {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, count: number])[];
  readonly more: number;
}

function Counts({ title, rows, more }: CountsProps) {
  return (
    <Table verticalSpacing={4} w="auto" miw={220}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{title}</Table.Th>
          <Table.Th ta="right">To be removed</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([name, count]) => (
          <Table.Tr key={name}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{name}</Table.Td>
            <Table.Td ta="right" className="numbers">
              {formatNumber(count)}
            </Table.Td>
          </Table.Tr>
        ))}
        {more > 0 && (
          <Table.Tr>
            <Table.Td c="dimmed" colSpan={2}>
              and {formatNumber(more)} more
            </Table.Td>
          </Table.Tr>
        )}
      </Table.Tbody>
    </Table>
  );
}
