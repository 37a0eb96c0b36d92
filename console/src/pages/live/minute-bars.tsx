import { Group, Text } from '@mantine/core';
import { formatCount, formatShort } from '../../ui/format';
import classes from './minute-bars.module.css';

interface Minute {
  /** The time of the day. */
  readonly label: string;
  readonly count: number;
}

/** One bar for each minute. Drawn without the chart library, which would be half of what this first page loads. */
export function MinuteBars({ minutes, label }: { readonly minutes: readonly Minute[]; readonly label: string }) {
  const most = Math.max(0, ...minutes.map(({ count }) => count));
  return (
    <div role="img" aria-label={label}>
      <Text size="xs" c="dimmed" className="numbers">
        {formatShort(most)}
      </Text>
      <div className={classes.bars}>
        {minutes.map(({ label: minute, count }) => (
          <div key={minute} className={classes.minute} title={`${minute}: ${formatCount(count, 'event')}`}>
            <div className={classes.bar} style={{ height: `${(100 * count) / Math.max(1, most)}%` }} />
          </div>
        ))}
      </div>
      <Group justify="space-between" mt={4}>
        {[0, Math.floor(minutes.length / 2), minutes.length - 1].map((at) => (
          <Text key={at} size="xs" c="dimmed" className="numbers">
            {minutes[at]?.label}
          </Text>
        ))}
      </Group>
    </div>
  );
}
