import { Button, Checkbox, Group, Modal, MultiSelect, NumberInput, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../api/client';
import { type Schemas } from '../../../api/types';
import { useProject } from '../../../address/project-context';
import { actionNameIn, useActions } from '../../../filters/actions';
import { cohortChoices, useCohorts } from '../../../filters/cohorts';
import { errorAt, FormProblem } from '../../../ui/field-error';
import { Select } from '../../../ui/select';
import { useChange } from '../../../ui/use-change';
import { DestinationFields, type Credentials } from './destination-fields';
import { addressOf, eventChoices, formatNotes, formats, refreshes, type Webhook } from './webhooks';

interface WebhookDialogProps {
  /** Null makes a new one. */
  readonly webhook: Webhook | null;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: (webhook: Webhook) => void;
}

export function WebhookDialog({ isOpen, onClose, ...form }: WebhookDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={form.webhook ? 'Edit webhook' : 'New webhook'} size="lg">
      <WebhookForm {...form} />
    </Modal>
  );
}

const fields = [
  'url',
  'format',
  'events',
  'action',
  'cohorts',
  'kinds',
  'batch_size',
  'identifier',
  'properties',
  'amplitude',
  'credentials',
] as const;

type Fields = Pick<Webhook, Exclude<(typeof fields)[number], 'credentials'>> & {
  /** Undefined keeps those that the service has. */
  readonly credentials?: Credentials | null;
};

const fresh: Fields = {
  url: '',
  format: 'standard',
  events: ['cohort.changed'],
  action: null,
  cohorts: [],
  kinds: ['entered', 'left'],
  batch_size: 100,
  identifier: null,
  properties: [],
  amplitude: null,
};

/** Of another format, with what goes with it. */
const inFormat = (written: Fields, format: Webhook['format']): Fields => {
  const { url, cohorts, batch_size } = written;
  const known = Object.values(addressOf);
  return {
    ...fresh,
    ...{ cohorts, batch_size, format },
    url: url === '' || known.includes(url) ? (addressOf[format] ?? '') : url,
    ...(format !== 'standard' && { identifier: 'distinct_id' }),
    ...(format === 'amplitude' && { amplitude: { app_id: 0, owner: '' } }),
  };
};

/** What the service takes of the fields: a standard webhook has none of a destination. */
const bodyOf = ({
  format,
  action,
  cohorts,
  identifier,
  properties,
  amplitude,
  credentials,
  ...rest
}: Fields): Schemas['CreateWebhookBody'] => ({
  ...rest,
  format,
  ...(rest.events.includes('cohort.changed') && { cohorts }),
  action: rest.events.includes('action.matched') ? action : null,
  ...(format !== 'standard' && {
    identifier,
    ...(format === 'amplitude' ? { amplitude } : { properties }),
    ...(credentials !== undefined && { credentials }),
  }),
});

/**
 * Returns the fields that differ from the webhook: a field that is sent again may be refused for what has changed elsewhere.
 */
const changesOf = (webhook: Webhook, written: Fields): Schemas['UpdateWebhookBody'] =>
  Object.fromEntries(
    Object.entries(bodyOf(written)).filter(
      ([field, value]) => JSON.stringify(webhook[field as keyof Webhook]) !== JSON.stringify(value),
    ),
  );

const storedFields = ({
  url,
  format,
  events,
  action,
  cohorts,
  kinds,
  batch_size,
  identifier,
  properties,
  amplitude,
}: Webhook): Fields => ({
  ...{ url, format, events, action, kinds, batch_size, identifier, properties, amplitude },
  // The cohorts of a webhook that is not told of their changes were not chosen.
  cohorts: events.includes('cohort.changed') ? cohorts : [],
});

function WebhookForm({ webhook, onDone }: Pick<WebhookDialogProps, 'webhook' | 'onDone'>) {
  const project = useProject();
  const [written, setWritten] = useState<Fields>(() => (webhook ? storedFields(webhook) : fresh));
  const set = (change: Partial<Fields>): void => setWritten((before) => ({ ...before, ...change }));
  const path = { project_id: String(project.id) };
  const { mutate, isPending, error } = useChange(
    () =>
      webhook
        ? api.PATCH('/api/projects/{project_id}/webhooks/{id}', {
            params: { path: { ...path, id: webhook.id } },
            body: changesOf(webhook, written),
          })
        : api.POST('/api/projects/{project_id}/webhooks', { params: { path }, body: bodyOf(written) }),
    { refreshes, message: webhook ? 'Webhook saved.' : 'Webhook created.', hasForm: true, onDone },
  );
  const { format, events } = written;
  const isStandard = format === 'standard';
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
        {!webhook && (
          <Select
            label="Receiver"
            data={formats}
            value={format}
            allowDeselect={false}
            onChange={(chosen) => chosen !== null && setWritten(inFormat(written, chosen))}
          />
        )}
        {!isStandard && (
          <Text size="sm" c="dimmed">
            {formatNotes[format]}
          </Text>
        )}
        <TextInput
          label="Receiver URL"
          description="Messages are sent to it by POST."
          placeholder="https://crm.example.com/kohort"
          type="url"
          required
          data-autofocus
          value={written.url}
          onChange={({ currentTarget }) => set({ url: currentTarget.value })}
          error={errorAt(error, 'url', written.url.trim() === '' && 'Enter an address')}
        />
        {isStandard && (
          <EventsField
            value={events}
            onChange={(changed) => set({ events: changed })}
            error={errorAt(error, 'events', events.length === 0 && 'Choose what is sent')}
          />
        )}
        {events.includes('action.matched') && (
          <ActionField
            value={written.action}
            onChange={(action) => set({ action })}
            error={errorAt(error, 'action', written.action === null && 'Choose an action')}
          />
        )}
        {events.includes('cohort.changed') && (
          <>
            <CohortsField value={written.cohorts} onChange={(cohorts) => set({ cohorts })} error={error} />
            {isStandard && (
              <Checkbox.Group
                label="Changes"
                value={written.kinds}
                onChange={(kinds) => set({ kinds: fresh.kinds.filter((kind) => kinds.includes(kind)) })}
                error={errorAt(error, 'kinds', written.kinds.length === 0 && 'Choose at least one')}
              >
                <Group gap="lg" mt={6}>
                  <Checkbox value="entered" label="Who enters" />
                  <Checkbox value="left" label="Who leaves" />
                </Group>
              </Checkbox.Group>
            )}
          </>
        )}
        {!isStandard && (
          <DestinationFields written={written} stored={webhook?.credentials ?? null} onChange={set} error={error} />
        )}
        <NumberInput
          label="Batch size"
          description={`The largest number of ${isStandard ? 'changes, persons or events' : 'persons'} in one message, up to 1,000.`}
          maw={320}
          allowDecimal={false}
          value={written.batch_size}
          onChange={(size) => set({ batch_size: size as number })}
          error={errorAt(error, 'batch_size')}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            {webhook ? 'Save' : 'Create webhook'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface EventsFieldProps {
  readonly value: Webhook['events'];
  readonly onChange: (events: Webhook['events']) => void;
  readonly error: string | null;
}

/** What the receiver is told of: changes of cohorts, and notices of the project. */
function EventsField({ value, onChange, error }: EventsFieldProps) {
  const chosen = eventChoices.filter(({ events }) => events.every((event) => value.includes(event)));
  return (
    <Checkbox.Group
      label="What is sent"
      value={chosen.map(({ label }) => label)}
      onChange={(labels) =>
        onChange(eventChoices.filter(({ label }) => labels.includes(label)).flatMap(({ events }) => events))
      }
      error={error}
    >
      <Stack gap={6} mt={6}>
        {eventChoices.map(({ label }) => (
          <Checkbox key={label} value={label} label={label} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

interface ActionFieldProps {
  readonly value: Webhook['action'];
  readonly onChange: (action: Webhook['action']) => void;
  readonly error: string | null;
}

/** The action whose matches are sent; one that does not exist any more stays in the list. */
function ActionField({ value, onChange, error }: ActionFieldProps) {
  const actions = useActions();
  const ids = new Set([...actions.map(({ id }) => id), ...(value === null ? [] : [value])]);
  return (
    <Select
      label="Action"
      description="New events that match it are sent"
      placeholder={actions.length === 0 ? 'No actions yet' : 'Action'}
      required
      searchable
      limit={100}
      allowDeselect={false}
      data={[...ids].map((id) => ({ value: String(id), label: actionNameIn(actions)(id) }))}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      error={error}
    />
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
          <Radio value="all" label="All, including future ones" />
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
          error={errorAt(error, 'cohorts', value.length === 0 && 'Choose at least one cohort')}
        />
      )}
    </Stack>
  );
}
