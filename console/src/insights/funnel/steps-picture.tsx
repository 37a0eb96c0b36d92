import { Badge, Box, Group, ScrollArea, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDownRight, IconArrowRight, IconClock } from '@tabler/icons-react';
import { colorAt } from '../../charts/palette';
import { formatDuration, formatNumber, formatShare } from '../../ui/format';
import { useActors } from '../actors';
import { type AnswerProps, type Point } from '../kind';
import {
  betweenOf,
  droppedBefore,
  droppedPoint,
  reachedPoint,
  splitOf,
  valueText,
  type FunnelInsight,
  type FunnelRow,
  type FunnelStep,
} from './funnel';
import { Conversion } from './conversion';
import classes from './steps-picture.module.css';

/** One column for each step, with a bar for each value of the breakdown. */
export function StepsPicture({
  rows,
  params,
  openPersons,
}: AnswerProps<FunnelInsight> & { readonly rows: readonly FunnelRow[] }) {
  const [row] = rows;
  if (!row) return null;
  const isSplit = row.value !== undefined;
  return (
    <Stack gap="md">
      {isSplit ? (
        <Legend rows={rows} />
      ) : (
        <Conversion row={row} {...betweenOf(params, row.steps.length)} openPersons={openPersons} />
      )}
      {row.steps.length === 1 && (
        <Text size="sm" c="dimmed">
          A funnel needs two steps: add a second one.
        </Text>
      )}
      <ScrollArea type="auto" offsetScrollbars="present">
        <ol className={classes.steps}>
          {row.steps.map((step, at) => (
            <li key={at} className={classes.step}>
              <div className={classes.bars}>
                {rows.map((one, index) => (
                  <Bar key={index} row={one} at={at} color={colorAt(index)} openPersons={openPersons} />
                ))}
              </div>
              <Group gap={8} wrap="nowrap" mb={6}>
                <Badge variant="light" radius="sm" px={7}>
                  {at + 1}
                </Badge>
                <Text fw={600} size="sm" truncate title={step.name}>
                  {step.name}
                </Text>
              </Group>
              {!isSplit && <StepNumbers steps={row.steps} at={at} step={step} openPersons={openPersons} />}
            </li>
          ))}
        </ol>
      </ScrollArea>
    </Stack>
  );
}

interface BarProps {
  readonly row: FunnelRow;
  readonly at: number;
  readonly color: string;
  readonly openPersons: (point: Point) => void;
}

/** From below: those who took the step, those who stopped before it, and those who had stopped earlier. */
function Bar({ row, at, color, openPersons }: BarProps) {
  const [, many] = useActors().noun;
  const { steps } = row;
  const step = steps[at];
  if (!step) return null;
  const split = splitOf(row);
  const dropped = droppedBefore(steps, at);
  const before = at === 0 ? step.conversion_rate : (steps[at - 1]?.conversion_rate ?? 0);
  const whose = split === undefined ? '' : `${valueText(split)}: `;
  return (
    <div className={classes.bar}>
      {dropped > 0 && (
        <UnstyledButton
          className={classes.dropped}
          style={{ height: `${(before - step.conversion_rate) * 100}%` }}
          title={`${whose}${formatNumber(dropped)} dropped off before step ${at + 1}`}
          aria-label={`${whose}${formatNumber(dropped)} dropped off before step ${at + 1}: the ${many}`}
          onClick={() => openPersons(droppedPoint(step, split))}
        />
      )}
      {step.count > 0 && (
        <UnstyledButton
          className={classes.reached}
          style={{ height: `${step.conversion_rate * 100}%`, background: color }}
          title={`${whose}${formatNumber(step.count)} reached step ${at + 1} (${formatShare(step.conversion_rate)})`}
          aria-label={`${whose}${formatNumber(step.count)} reached step ${at + 1}: the ${many}`}
          onClick={() => openPersons(reachedPoint(step, split))}
        />
      )}
    </div>
  );
}

function StepNumbers({
  steps,
  at,
  step,
  openPersons,
}: {
  readonly steps: readonly FunnelStep[];
  readonly at: number;
  readonly step: FunnelStep;
  readonly openPersons: (point: Point) => void;
}) {
  const [one, many] = useActors().noun;
  const dropped = droppedBefore(steps, at);
  const { average_conversion_time: average, median_conversion_time: median } = step;
  return (
    <Stack gap={4} fz="sm" className="numbers">
      <UnstyledButton className={classes.number} onClick={() => openPersons(reachedPoint(step))}>
        <IconArrowRight size={15} aria-hidden />
        <span>
          <b>{formatNumber(step.count)}</b> {step.count === 1 ? one : many}
          {at > 0 && <span className={classes.share}> {formatShare(step.conversion_rate)} of step 1</span>}
        </span>
      </UnstyledButton>
      {at > 0 && (
        <>
          <UnstyledButton
            className={classes.number}
            disabled={dropped === 0}
            onClick={() => openPersons(droppedPoint(step))}
          >
            <IconArrowDownRight size={15} aria-hidden />
            <span>
              <b>{formatNumber(dropped)}</b> dropped off
              <span className={classes.share}> {formatShare(1 - step.conversion_rate_from_previous)}</span>
            </span>
          </UnstyledButton>
          <Text size="sm" c="dimmed" pl={21}>
            {formatShare(step.conversion_rate_from_previous)} from the previous step
          </Text>
          {average !== null && median !== null && (
            <Group gap={6} wrap="nowrap" c="dimmed" align="flex-start">
              <IconClock size={15} aria-hidden className={classes.icon} />
              <Text size="sm">
                {formatDuration(median)} median, {formatDuration(average)} average
              </Text>
            </Group>
          )}
        </>
      )}
    </Stack>
  );
}

function Legend({ rows }: { readonly rows: readonly FunnelRow[] }) {
  return (
    <Group gap="md">
      {rows.map(splitOf).map((split, index) => (
        <Group key={index} gap={6} wrap="nowrap" maw={260}>
          <Box w={10} h={10} bg={colorAt(index)} className={classes.mark} aria-hidden />
          <Text size="sm" truncate title={split && valueText(split)}>
            {split && valueText(split)}
          </Text>
        </Group>
      ))}
    </Group>
  );
}
