import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { errorAt, FormProblem } from './field-error';

export interface Naming {
  readonly name: string;
  readonly description: string;
}

interface NameFormProps {
  /** The earlier name; nothing for a new record. */
  readonly naming?: Naming;
  readonly hasDescription?: boolean;
  readonly confirm?: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly onSave: (naming: Naming) => void;
  readonly onClose: () => void;
  /** Says what becomes of it. */
  readonly children?: ReactNode;
}

interface NameDialogProps extends NameFormProps {
  readonly title: string;
  readonly isOpen: boolean;
}

/** Asks for the name, and maybe the description, of something new or of something that has others. */
export function NameDialog({ title, isOpen, ...form }: NameDialogProps) {
  return (
    <Modal opened={isOpen} onClose={form.onClose} title={title}>
      <NameForm {...form} />
    </Modal>
  );
}

function NameForm({
  naming,
  hasDescription = false,
  confirm = 'Save',
  isPending,
  error,
  onSave,
  onClose,
  children,
}: NameFormProps) {
  const [name, setName] = useState(naming?.name ?? '');
  const [description, setDescription] = useState(naming?.description ?? '');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSave({ name: name.trim(), description });
      }}
    >
      <Stack>
        <FormProblem error={error} fields={['name']} />
        <TextInput
          label="Name"
          required
          maxLength={400}
          data-autofocus
          value={name}
          error={errorAt(error, 'name')}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {hasDescription && (
          <Textarea
            label="Description"
            maxLength={1000}
            autosize
            minRows={2}
            value={description}
            onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          />
        )}
        {children}
        <Group justify="flex-end">
          {naming && (
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={isPending} disabled={name.trim() === ''}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
