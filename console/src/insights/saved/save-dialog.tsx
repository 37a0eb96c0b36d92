import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { saveInsight, type SavedInsight, type SavedQuestion } from '../../api/insights';
import { ProblemError } from '../../api/problem-error';
import { useProjectId } from '../../address/project-context';
import { notifyDone } from '../../ui/notify';
import { ProblemAlert } from '../../ui/problem-alert';

export interface SaveDialogProps {
  readonly question: SavedQuestion;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSaved: (saved: SavedInsight) => void;
}

/** Keeps the question under a name. */
export function SaveDialog({ question, isOpen, onClose, onSaved }: SaveDialogProps) {
  const projectId = useProjectId();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const save = useMutation({
    mutationFn: () => saveInsight(projectId, { name: name.trim(), description, question }),
    onSuccess: async (saved) => {
      notifyDone(`“${saved.name}” is saved.`);
      setName('');
      setDescription('');
      onClose();
      onSaved(saved);
      await queries.invalidateQueries({ queryKey: ['insights', projectId] });
    },
  });
  const problem = save.error instanceof ProblemError ? save.error.problem : null;
  const isAtName = problem?.attr === 'name';
  return (
    <Modal opened={isOpen} onClose={onClose} title="Save this insight">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            required
            maxLength={400}
            data-autofocus
            value={name}
            error={isAtName ? problem.detail : undefined}
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
          {save.error && !isAtName && <ProblemAlert error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
