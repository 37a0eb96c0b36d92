import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type EditorProps } from '../kind';
import { anyEvent } from '../question/entities';
import { EntityPicker } from '../question/entity-picker';
import { maxExclusions, readExclusions, type Exclusion } from './exclusions';
import { stepNames } from './funnel';
import { Select } from '../../ui/select';

/** Events that must not happen between two steps. */
export function ExclusionsEditor({ question, change }: EditorProps) {
  const names = stepNames(question);
  const exclusions = readExclusions(question);
  const last = names.length - 1;
  const isUnordered = question.funnel_order_type === 'unordered';
  const steps = names.map((name, at) => ({ value: String(at), label: `${at + 1}. ${name}` }));
  const set = (next: readonly Exclusion[]): void => change({ exclusions: next.length === 0 ? undefined : next });
  const setAt = (index: number, changed: Exclusion): void =>
    set(exclusions.map((old, at) => (at === index ? changed : old)));
  if (names.length < 2) return null;
  return (
    <Stack gap="xs">
      {exclusions.map((exclusion, index) => {
        const { funnel_from_step: from = 0, funnel_to_step: to = last } = exclusion;
        const named = `Exclusion ${index + 1}`;
        return (
          <Group key={index} gap="xs">
            <EntityPicker
              label={`${named}: event`}
              value={exclusion}
              onChange={({ type, id }) => setAt(index, { ...exclusion, type, id, name: undefined, any_of: undefined })}
            />
            {!isUnordered && (
              <>
                <Text size="sm">between</Text>
                <Select
                  aria-label={`${named}: from step`}
                  w={170}
                  data={steps.slice(0, to)}
                  value={String(from)}
                  allowDeselect={false}
                  onChange={(value) => setAt(index, { ...exclusion, funnel_from_step: Number(value) })}
                />
                <Text size="sm">and</Text>
                <Select
                  aria-label={`${named}: to step`}
                  w={170}
                  data={steps.slice(from + 1)}
                  value={String(to)}
                  allowDeselect={false}
                  onChange={(value) => setAt(index, { ...exclusion, funnel_to_step: Number(value) })}
                />
              </>
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`${named}: remove`}
              onClick={() => set(exclusions.toSpliced(index, 1))}
            >
              <IconTrash size={17} />
            </ActionIcon>
          </Group>
        );
      })}
      {exclusions.length < maxExclusions && (
        <Group>
          <Button
            variant="subtle"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => set([...exclusions, anyEvent])}
          >
            Exclude an event
          </Button>
        </Group>
      )}
    </Stack>
  );
}
