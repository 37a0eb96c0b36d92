import { Group, Text } from '@mantine/core';
import { colorAt } from '../../../charts/palette';
import { formatNumber, formatShare } from '../../../ui/format';
import classes from './shares-bar.module.css';

export interface ShareOf {
  readonly label: string;
  readonly count: number;
}

interface SharesBarProps {
  readonly shares: readonly ShareOf[];
  readonly total: number;
}

/** How many of all get each value; what remains gets nothing. */
export function SharesBar({ shares, total }: SharesBarProps) {
  const rest = total - shares.reduce((sum, { count }) => sum + count, 0);
  const ofAll = (count: number): number => (total === 0 ? 0 : count / total);
  return (
    <div>
      <div className={classes.bar} aria-hidden>
        {shares.map(({ label, count }, at) => (
          <div
            key={label}
            className={classes.part}
            style={{ width: `${100 * ofAll(count)}%`, background: colorAt(at) }}
          />
        ))}
      </div>
      <Group component="ul" gap="md" m={0} mt={6} p={0} style={{ listStyle: 'none', rowGap: 2 }}>
        {[...shares, { label: 'off', count: rest }].map(({ label, count }, at) => (
          <Group key={`${at} ${label}`} component="li" gap={6} wrap="nowrap" maw="100%">
            <span
              className={classes.dot}
              style={{ background: at < shares.length ? colorAt(at) : 'var(--mantine-color-gray-5)' }}
            />
            <Text size="sm" className="numbers" style={{ overflowWrap: 'anywhere' }}>
              {label} <b>{formatNumber(count)}</b>{' '}
              <Text span size="sm" c="dimmed">
                {formatShare(ofAll(count))}
              </Text>
            </Text>
          </Group>
        ))}
      </Group>
    </div>
  );
}
