import { Group, Text } from '@mantine/core';
import { formatNumber, formatShare } from '../../../ui/format';
import { type FunnelRow } from './funnel';
import { OpenCorrelation } from './open-correlation';

/** The conversion between the two chosen steps. */
export function Conversion({
  row: { steps },
  from,
  to,
}: {
  readonly row: FunnelRow;
  readonly from: number;
  readonly to: number;
}) {
  const [first, last] = [steps[from], steps[to]];
  if (!first || !last || from === to) return null;
  return (
    <Group gap="xs" align="baseline">
      <Text fz={30} fw={700} lh={1.1} className="numbers">
        {first.count === 0 ? '–' : formatShare(last.count / first.count)}
      </Text>
      <Text size="sm" c="dimmed">
        {formatNumber(last.count)} of the {formatNumber(first.count)} persons of step {from + 1} reached step {to + 1}
      </Text>
      <OpenCorrelation />
    </Group>
  );
}
