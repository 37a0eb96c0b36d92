import { Button, Group, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { anyEvent, type Entity } from './entities';
import { EntityRow } from './entity-row';

/** The series of the question, or its steps. */
export function EntitiesEditor({
  entities,
  onChange,
  noun,
  hasMath = false,
  atLeast = 1,
  atMost = 20,
}: {
  readonly entities: readonly Entity[];
  readonly onChange: (entities: readonly Entity[]) => void;
  readonly noun: 'Series' | 'Step';
  readonly hasMath?: boolean;
  /** So many rows are always shown; those that the question does not have yet count all events. */
  readonly atLeast?: number;
  readonly atMost?: number;
}) {
  const [added, setAdded] = useState<number | null>(null);
  const missing = Array.from({ length: Math.max(0, atLeast - entities.length) }, () => anyEvent);
  const rows = [...entities, ...missing];
  return (
    <Stack gap="xs">
      {rows.map((entity, index) => (
        <EntityRow
          key={index}
          entity={entity}
          index={index}
          noun={noun}
          hasMath={hasMath}
          isNew={index === added}
          onChange={(changed) => onChange(rows.map((row, at) => (at === index ? changed : row)))}
          onCopy={rows.length < atMost ? () => onChange(rows.toSpliced(index + 1, 0, entity)) : undefined}
          onRemove={rows.length > atLeast ? () => onChange(rows.toSpliced(index, 1)) : undefined}
        />
      ))}
      {rows.length < atMost && (
        <Group>
          <Button
            variant="subtle"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => {
              setAdded(rows.length);
              onChange([...rows, anyEvent]);
            }}
          >
            {noun === 'Series' ? 'Add a series' : 'Add a step'}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
