import { Button, Checkbox, Group, Modal, MultiSelect, NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../api/client';
import { useProject } from '../../../address/project-context';
import { cohortChoices, useCohorts } from '../../../filters/cohorts';
import { errorAt, FormProblem } from '../../../ui/field-error';
import { useChange } from '../../../ui/use-change';
import { refreshes, type Webhook } from './webhooks';

interface WebhookDialogProps {
  /** Null makes a new one. */
  readonly webhook: Webhook | null;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: (webhook: Webhook) => void;
}

export function WebhookDialog({ isOpen, onClose, ...form }: WebhookDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={form.webhook ? 'Edit the webhook' : 'New webhook'} size="lg">
      <WebhookForm {...form} />
    </Modal>
  );
}

const fields = ['url', 'cohorts', 'kinds', 'batch_size'] as const;

type Fields = Pick<Webhook, (typeof fields)[number]>;

const fresh: Fields = { url: '', cohorts: '*', kinds: ['entered', 'left'], batch_size: 100 };

/**
 * Returns the fields that differ from the webhook: a field that is sent again may be refused for what has changed elsewhere.
 */
const changesOf = (webhook: Webhook, written: Fields): Partial<Fields> =>
  Object.fromEntries(
    fields
      .filter((field) => JSON.stringify(webhook[field]) !== JSON.stringify(written[field]))
      .map((field) => [field, written[field]]),
  );

function WebhookForm({ webhook, onDone }: Pick<WebhookDialogProps, 'webhook' | 'onDone'>) {
  const project = useProject();
  const [written, setWritten] = useState<Fields>(webhook ?? fresh);
  const set = (change: Partial<Fields>): void => setWritten({ ...written, ...change });
  const path = { project_id: String(project.id) };
  const { mutate, isPending, error } = useChange(
    () => {
      const { url, cohorts, kinds, batch_size } = written;
      return webhook
        ? api.PATCH('/api/projects/{project_id}/webhooks/{id}', {
            params: { path: { ...path, id: webhook.id } },
            body: changesOf(webhook, written),
          })
        : api.POST('/api/projects/{project_id}/webhooks', {
            params: { path },
            body: { url, cohorts, kinds, batch_size },
          });
    },
    { refreshes, message: webhook ? 'The webhook is saved.' : 'The webhook is made.', hasForm: true, onDone },
  );
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        mutate();
      }}
    >
      <Stack>
        <FormProblem error={error} fields={fields} />
        <TextInput
          label="Address of the receiver"
          description="Messages are sent there by POST."
          placeholder="https://crm.example.com/kohort"
          type="url"
          required
          data-autofocus
          value={written.url}
          onChange={({ currentTarget }) => set({ url: currentTarget.value })}
          error={errorAt(error, 'url')}
        />
        <CohortsField value={written.cohorts} onChange={(cohorts) => set({ cohorts })} error={error} />
        <Checkbox.Group
          label="Changes"
          value={written.kinds}
          onChange={(kinds) => set({ kinds: fresh.kinds.filter((kind) => kinds.includes(kind)) })}
          error={errorAt(error, 'kinds')}
        >
          <Group gap="lg" mt={6}>
            <Checkbox value="entered" label="Who enters" />
            <Checkbox value="left" label="Who leaves" />
          </Group>
        </Checkbox.Group>
        <NumberInput
          label="Batch size"
          description="The largest number of changes in one message, up to 1,000."
          maw={320}
          allowDecimal={false}
          value={written.batch_size}
          onChange={(size) => set({ batch_size: size as number })}
          error={errorAt(error, 'batch_size')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            {webhook ? 'Save' : 'Make the webhook'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface CohortsFieldProps {
  readonly value: Webhook['cohorts'];
  readonly onChange: (cohorts: Webhook['cohorts']) => void;
  readonly error: Error | null;
}

function CohortsField({ value, onChange, error }: CohortsFieldProps) {
  const chosen = value === '*' ? [] : value.map(String);
  const choices = cohortChoices(useCohorts(), chosen);
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Cohorts"
        value={value === '*' ? 'all' : 'some'}
        onChange={(which) => onChange(which === 'all' ? '*' : [])}
        error={value === '*' ? errorAt(error, 'cohorts') : null}
      >
        <Stack gap={6} mt={6}>
          <Radio value="all" label="All, also those that are made later" />
          <Radio value="some" label="These" />
        </Stack>
      </Radio.Group>
      {value !== '*' && (
        <MultiSelect
          aria-label="Cohorts whose changes are sent"
          placeholder={chosen.length === 0 ? 'Cohort' : undefined}
          searchable
          limit={100}
          data={choices}
          value={chosen}
          onChange={(ids) => onChange(ids.map(Number))}
          error={errorAt(error, 'cohorts')}
        />
      )}
    </Stack>
  );
}
