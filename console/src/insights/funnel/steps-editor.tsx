import { ActionIcon, Box, Button, Group, Stack } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type EditorProps } from '../kind';
import { anyEvent, entityFields, readEntities, type Entity } from '../question/entities';
import { EntityRow } from '../question/entity-row';
import { fittedExclusions, readExclusions } from './exclusions';

const maxSteps = 20;

const moved = (steps: readonly Entity[], from: number, to: number): Entity[] => {
  const [step] = steps.slice(from, from + 1);
  return step ? steps.toSpliced(from, 1).toSpliced(to, 0, step) : [...steps];
};

/** The steps of the funnel in their order, which buttons change. */
export function StepsEditor({ question, change }: EditorProps) {
  const [added, setAdded] = useState<number | null>(null);
  const steps = readEntities(question);
  const set = (next: readonly Entity[]): void =>
    change({
      ...entityFields(next),
      // Indexes that another number of steps does not have would be refused.
      ...(next.length < steps.length
        ? {
            funnel_from_step: undefined,
            funnel_to_step: undefined,
            breakdown_attribution_value: undefined,
            exclusions: fittedExclusions(readExclusions(question), next.length),
          }
        : {}),
    });
  return (
    <Stack gap="xs">
      {steps.map((step, index) => (
        <Group key={index} gap={4} wrap="nowrap" align="flex-start">
          <Stack gap={0}>
            <Arrow index={index} by={-1} isAtEnd={index === 0} onMove={() => set(moved(steps, index, index - 1))} />
            <Arrow
              index={index}
              by={1}
              isAtEnd={index === steps.length - 1}
              onMove={() => set(moved(steps, index, index + 1))}
            />
          </Stack>
          <Box flex={1} miw={0}>
            <EntityRow
              entity={step}
              index={index}
              noun="Step"
              hasMath={false}
              isNew={index === added}
              onChange={(changed) => set(steps.map((old, at) => (at === index ? changed : old)))}
              onCopy={steps.length < maxSteps ? () => set(steps.toSpliced(index + 1, 0, step)) : undefined}
              onRemove={() => set(steps.toSpliced(index, 1))}
            />
          </Box>
        </Group>
      ))}
      {steps.length < maxSteps && (
        <Group>
          <Button
            variant={steps.length < 2 ? 'light' : 'subtle'}
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => {
              setAdded(steps.length);
              set([...steps, anyEvent]);
            }}
          >
            Add a step
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function Arrow({
  index,
  by,
  isAtEnd,
  onMove,
}: {
  readonly index: number;
  readonly by: 1 | -1;
  readonly isAtEnd: boolean;
  readonly onMove: () => void;
}) {
  const Icon = by === 1 ? IconArrowDown : IconArrowUp;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={18}
      disabled={isAtEnd}
      bg={isAtEnd ? 'transparent' : undefined}
      aria-label={`Step ${index + 1}: move ${by === 1 ? 'down' : 'up'}`}
      onClick={onMove}
    >
      <Icon size={14} />
    </ActionIcon>
  );
}
