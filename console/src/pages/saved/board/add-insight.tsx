import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type SavedInsight } from '../../../api/types';
import { Select } from '../../../ui/select';

interface AddInsightProps {
  readonly insights: readonly SavedInsight[];
  readonly onAdd: (insightId: number) => void;
  readonly onClose: () => void;
}

export function AddInsight({ insights, onAdd, onClose }: AddInsightProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Modal opened onClose={onClose} title="Add an insight">
      <Stack>
        {insights.length === 0 ? (
          <Text size="sm">No insight is saved yet: ask a question under Insights, and save it.</Text>
        ) : (
          <Select
            label="Saved insight"
            placeholder="Search by name"
            searchable
            data-autofocus
            nothingFoundMessage="No saved insight"
            data={insights.map(({ id, name, derived_name }) => ({ value: String(id), label: name || derived_name }))}
            value={chosen}
            onChange={setChosen}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={chosen === null} onClick={() => onAdd(Number(chosen))}>
            Add
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
