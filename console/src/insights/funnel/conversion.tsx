import { Group, Text } from '@mantine/core';
import { formatShare } from '../../ui/format';
import { NumberCell } from '../answer/number-cell';
import { useActors } from '../actors';
import { type Point } from '../kind';
import { reachedPoint, type FunnelRow } from './funnel';
import { OpenCorrelation } from './open-correlation';

/** The conversion between the two chosen steps. */
export function Conversion({
  row: { steps },
  from,
  to,
  openPersons,
}: {
  readonly row: FunnelRow;
  readonly from: number;
  readonly to: number;
  readonly openPersons: (point: Point) => void;
}) {
  const [one, many] = useActors().noun;
  const [first, last] = [steps[from], steps[to]];
  if (!first || !last || from === to) return null;
  return (
    <Group gap="xs" align="baseline">
      <Text fz={30} fw={700} lh={1.1} className="numbers">
        {first.count === 0 ? '–' : formatShare(last.count / first.count)}
      </Text>
      <Text size="sm" c="dimmed">
        <NumberCell cell={{ value: last.count, point: reachedPoint(last) }} openPersons={openPersons} /> of the{' '}
        <NumberCell cell={{ value: first.count, point: reachedPoint(first) }} openPersons={openPersons} />{' '}
        {first.count === 1 ? one : many} of step {from + 1} reached step {to + 1}
      </Text>
      <OpenCorrelation />
    </Group>
  );
}
