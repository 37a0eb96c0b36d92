import { ActionIcon, Group, Loader, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { formatDay, formatTime } from '../../ui/format';
import { type InsightHead } from '../kind';

/** The range of the question, and up to which moment the answer is complete. */
export function AsOf({
  insight: { date_from, date_to, timezone, as_of },
  isLoading,
  onRefresh,
}: {
  readonly insight: InsightHead;
  readonly isLoading: boolean;
  readonly onRefresh: () => void;
}) {
  const from = date_from === undefined ? null : formatDay(date_from, timezone);
  const to = date_to === undefined ? null : formatDay(date_to, timezone);
  return (
    <Group gap={6} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label="Refresh the answer"
        title="Refresh the answer"
        disabled={isLoading}
        onClick={onRefresh}
      >
        {isLoading ? <Loader size={14} role="img" aria-label="Loading the answer" /> : <IconRefresh size={15} />}
      </ActionIcon>
      <Text size="xs" c="dimmed" component="div">
        {from !== null && to !== null && <>{from === to ? from : `${from} to ${to}`} · </>}
        {timezone} · as of <time dateTime={as_of}>{formatTime(as_of, timezone, { second: '2-digit' })}</time>
      </Text>
    </Group>
  );
}
