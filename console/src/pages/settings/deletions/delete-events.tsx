import {
  Anchor,
  Button,
  Group,
  Input,
  MultiSelect,
  Paper,
  SegmentedControl,
  Stack,
  Table,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useState } from 'react';
import { api, type Answered } from '../../../api/client';
import { type Schemas } from '../../../api/types';
import { useProject } from '../../../address/project-context';
import { FilterBuilder, type FilterKind } from '../../../filters/filter-builder';
import { completeFilter, emptyFilter, type FilterGroup } from '../../../filters/filter';
import { useEventNames } from '../../../filters/pickers';
import { usePropertyNames } from '../../../filters/properties';
import { AskFirst } from '../../../ui/ask-first';
import { errorAt, FormProblem } from '../../../ui/field-error';
import { formatCount, formatNumber, formatTime } from '../../../ui/format';
import { MomentInput } from '../../../ui/moment-input';
import { useChange } from '../../../ui/use-change';
import { Section } from '../shared/section';
import { type DeletionRequest } from './deletion';

type Body = Schemas['RequestDeletionBody'];
type Preview = Schemas['DeletionPreviewDto'];

interface Selection {
  readonly events: readonly string[];
  /** As the browser's field writes a moment of the project's clock. */
  readonly after: string;
  readonly before: string;
  readonly filter: FilterGroup;
  /** Null: the events themselves are deleted. */
  readonly scrub: readonly string[] | null;
}

const nothing: Selection = { events: [], after: '', before: '', filter: emptyFilter, scrub: null };

const bodyOf = ({ events, after, before, filter, scrub }: Selection): Body => {
  const properties = completeFilter(filter);
  return {
    ...(events.length > 0 && { events: [...events] }),
    ...(after !== '' && { after }),
    ...(before !== '' && { before }),
    ...(properties.values.length > 0 && { properties: properties as Body['properties'] }),
    ...(scrub !== null && { scrub: [...scrub] }),
  };
};

const fields = ['events', 'after', 'before', 'properties', 'scrub'] as const;
const kinds: readonly FilterKind[] = ['event', 'person', 'cohort'];
const ofEvent = { type: 'event' } as const;

interface DeleteEventsProps {
  readonly onClose: () => void;
  /** Receives the id of the request. */
  readonly onDone: (id: string) => void;
}

/** Selects events, counts them, and asks for their number before they are deleted. */
export function DeleteEvents({ onClose, onDone }: DeleteEventsProps) {
  const { id, timezone } = useProject();
  const [selection, setSelection] = useState<Selection>(nothing);
  const names = useEventNames().map(({ name }) => name);
  const keys = usePropertyNames(ofEvent);
  const send = (body: Body) =>
    api.POST('/api/projects/{project_id}/deletion_requests', { params: { path: { project_id: String(id) } }, body });
  const count = useChange((chosen: Selection) => send(bodyOf(chosen)), { refreshes: [], hasForm: true });
  // A preview is of the selection that it was asked for.
  const preview = count.data && 'confirm' in count.data && count.variables === selection ? count.data : null;
  const set = (change: Partial<Selection>): void => setSelection((before) => ({ ...before, ...change }));
  const error = count.variables === selection ? count.error : null;
  const { events, after, before, filter, scrub } = selection;
  const isEmpty =
    (scrub === null &&
      events.length === 0 &&
      after === '' &&
      before === '' &&
      completeFilter(filter).values.length === 0) ||
    (scrub !== null && scrub.length === 0);
  return (
    <Section
      title="Delete events"
      description="Events are counted first. Nothing is deleted until you confirm the number."
      actions={
        <Anchor component="button" type="button" size="sm" onClick={onClose}>
          <Group gap={4} component="span">
            <IconArrowLeft size={14} aria-hidden /> All requests
          </Group>
        </Anchor>
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          count.mutate(selection);
        }}
      >
        <Stack>
          <FormProblem error={error} fields={fields} />
          <SegmentedControl
            aria-label="What is deleted"
            style={{ alignSelf: 'flex-start' }}
            data={[
              { value: 'events', label: 'Whole events' },
              { value: 'properties', label: 'Properties of events' },
            ]}
            value={scrub === null ? 'events' : 'properties'}
            onChange={(chosen) => set({ scrub: chosen === 'events' ? null : [] })}
          />
          {scrub !== null && (
            <TagsInput
              label="Properties to remove"
              description="The events stay, without these properties"
              required
              acceptValueOnBlur
              limit={100}
              data={[...keys]}
              value={[...scrub]}
              onChange={(chosen) => set({ scrub: chosen })}
              error={errorAt(error, 'scrub')}
            />
          )}
          <MultiSelect
            label="Events"
            placeholder={events.length === 0 ? 'Any event' : undefined}
            searchable
            clearable
            limit={100}
            data={[...new Set([...names, ...events])]}
            value={[...events]}
            onChange={(chosen) => set({ events: chosen })}
            error={errorAt(error, 'events')}
          />
          <Group gap="sm" align="flex-start">
            <MomentInput
              label={`After (${timezone})`}
              value={after}
              onChange={(moment) => set({ after: moment })}
              error={errorAt(error, 'after')}
            />
            <MomentInput
              label={`Before (${timezone})`}
              value={before}
              onChange={(moment) => set({ before: moment })}
              error={errorAt(error, 'before')}
            />
          </Group>
          <Input.Wrapper label="Only events where" labelElement="div" error={errorAt(error, 'properties')}>
            <FilterBuilder kinds={kinds} value={filter} onChange={(changed) => set({ filter: changed })} />
          </Input.Wrapper>
          <Group justify="flex-end">
            <Button type="submit" variant={preview ? 'default' : 'filled'} loading={count.isPending} disabled={isEmpty}>
              Count events
            </Button>
          </Group>
        </Stack>
      </form>
      {preview && (
        <Confirm
          key={preview.confirm}
          preview={preview}
          isScrub={scrub !== null}
          send={() => send({ ...bodyOf(selection), confirm: preview.confirm })}
          onDone={onDone}
        />
      )}
    </Section>
  );
}

interface ConfirmProps {
  readonly preview: Preview;
  readonly isScrub: boolean;
  readonly send: () => Promise<Answered<Preview | DeletionRequest>>;
  readonly onDone: (id: string) => void;
}

/** What the preview counted, and the button that deletes it once its number is typed. */
function Confirm({ preview, isScrub, send, onDone }: ConfirmProps) {
  const { timezone } = useProject();
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const { events, persons, by_name: byName, first_timestamp: first, last_timestamp: last } = preview;
  const request = useChange(send, {
    refreshes: ['/api/projects/{project_id}/deletion_requests'],
    message: 'The request is recorded.',
    hasForm: true,
    onDone: (answered) => {
      if ('id' in answered) onDone(answered.id);
    },
  });
  const what = isScrub ? `Clean ${formatCount(events, 'event')}` : `Delete ${formatCount(events, 'event')}`;
  return (
    <Paper withBorder p="md" mt="md" component="section" aria-label="Preview">
      <Stack gap="sm">
        <Group gap={8} role="status" align="baseline">
          <Text fz={24} fw={650} lh={1.2} className="numbers">
            {formatNumber(events)}
          </Text>
          <Text size="sm">
            {events === 1 ? 'event' : 'events'} of {formatCount(persons, 'person')}
            {first !== null &&
              last !== null &&
              `, from ${formatTime(first, timezone)} to ${formatTime(last, timezone)}`}
          </Text>
        </Group>
        {byName.length > 0 && (
          <Table verticalSpacing={4} w="auto" miw={260} className="numbers" aria-label="Events by name">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Event</Table.Th>
                <Table.Th ta="right">{isScrub ? 'Cleaned' : 'Deleted'}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {byName.slice(0, 10).map(({ event, count }) => (
                <Table.Tr key={event}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{event}</Table.Td>
                  <Table.Td ta="right">{formatNumber(count)}</Table.Td>
                </Table.Tr>
              ))}
              {byName.length > 10 && (
                <Table.Tr>
                  <Table.Td c="dimmed" colSpan={2}>
                    and {formatNumber(byName.length - 10)} more names
                  </Table.Td>
                </Table.Tr>
              )}
            </Table.Tbody>
          </Table>
        )}
        <Text size="sm" c="dimmed">
          Events received after {formatTime(preview.up_to, timezone, { second: '2-digit' })} stay.
        </Text>
        {events > 0 && (
          <Button style={{ alignSelf: 'flex-end' }} color="red.9" onClick={() => setAsking(true)}>
            {what}
          </Button>
        )}
        <AskFirst
          title={isScrub ? 'Remove the properties?' : 'Delete the events?'}
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          confirm={what}
          isPending={request.isPending}
          isReady={typed.replaceAll(/\D/g, '') === String(events)}
          error={request.error}
          onConfirm={request.mutate}
        >
          <Stack gap="sm">
            <div>
              {isScrub
                ? 'The properties are removed from every store in the next run. This cannot be undone.'
                : 'The events are removed from every store in the next run, and insights no longer count them. This cannot be undone.'}
            </div>
            <TextInput
              label="Number of events"
              description={`Type ${formatNumber(events)} to confirm.`}
              autoComplete="off"
              data-autofocus
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          </Stack>
        </AskFirst>
      </Stack>
    </Paper>
  );
}
