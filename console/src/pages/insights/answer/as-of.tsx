import { Text } from '@mantine/core';
import { formatDay, formatTime } from '../../../ui/format';
import { type InsightHead } from '../kind';

/** The range that was asked about, and up to which moment the answer is complete. */
export function AsOf({ insight: { date_from, date_to, timezone, as_of } }: { readonly insight: InsightHead }) {
  const from = date_from === undefined ? null : formatDay(date_from, timezone);
  const to = date_to === undefined ? null : formatDay(date_to, timezone);
  return (
    <Text size="xs" c="dimmed" component="div">
      {from !== null && to !== null && <>{from === to ? from : `${from} to ${to}`} · </>}
      {timezone} · as of <time dateTime={as_of}>{formatTime(as_of, timezone, { second: '2-digit' })}</time>
    </Text>
  );
}
