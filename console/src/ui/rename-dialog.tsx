import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ProblemAlert } from './problem-alert';

export interface Naming {
  readonly name: string;
  readonly description: string;
}

interface RenameDialogProps {
  /** What is renamed: "the dashboard". */
  readonly what: string;
  readonly record: Naming;
  readonly isSaving: boolean;
  readonly error: Error | null;
  readonly onSave: (naming: Naming) => void;
  readonly onClose: () => void;
}

/** The name and the description of a record. */
export function RenameDialog({ what, record, isSaving, error, onSave, onClose }: RenameDialogProps) {
  const [name, setName] = useState(record.name);
  const [description, setDescription] = useState(record.description);
  return (
    <Modal opened onClose={onClose} title={`Rename ${what}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSave({ name: name.trim(), description });
        }}
      >
        <Stack>
          {error && <ProblemAlert error={error} />}
          <TextInput
            label="Name"
            required
            maxLength={400}
            data-autofocus
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Textarea
            label="Description"
            maxLength={1000}
            autosize
            minRows={2}
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isSaving} disabled={name.trim() === ''}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
