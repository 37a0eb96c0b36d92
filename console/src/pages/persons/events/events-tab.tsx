import { Drawer, Group, Stack, Title } from '@mantine/core';
import { useMemo, useState } from 'react';
import { list } from '../../../api/client';
import { type EventRow } from '../../../api/types';
import { useProject } from '../../../address/project-context';
import { textOf, useQuestion } from '../../../address/search';
import { EventPicker } from '../../../filters/pickers';
import { usePropertyNames } from '../../../filters/properties';
import { EmptyState } from '../../../ui/empty-state';
import { EndlessTable, type EndlessColumn } from '../../../ui/endless-table';
import { formatTime } from '../../../ui/format';
import { EventDetail } from './event-detail';
import { type PersonProps } from '../person';
import { Timeline } from './timeline';
import { valueText } from '../../../ui/value';

const idOf = ({ uuid }: EventRow): string => uuid;
const nameOf = ({ event }: EventRow): string => event;

const useEventColumns = (): readonly EndlessColumn<EventRow>[] => {
  const { timezone } = useProject();
  const names = usePropertyNames({ type: 'event' });
  return useMemo(
    () => [
      { id: 'event', label: 'Event', isFixed: true, width: 220, phoneWidth: 145, render: nameOf, titleOf: nameOf },
      {
        id: 'timestamp',
        label: 'Time',
        isDefault: true,
        isForPhone: true,
        isNumber: true,
        width: 200,
        phoneWidth: 180,
        render: ({ timestamp }) => formatTime(timestamp, timezone, { second: '2-digit' }),
        titleOf: ({ timestamp }) => timestamp,
      },
      {
        id: 'distinct_id',
        label: 'Distinct id',
        width: 240,
        render: ({ distinct_id: id }) => id,
        titleOf: ({ distinct_id: id }) => id,
      },
      ...names.map((name): EndlessColumn<EventRow> => ({
        id: `properties.${name}`,
        label: name,
        width: 200,
        isDefault: name === '$current_url' || name === '$browser',
        render: ({ properties }) => valueText((properties as Record<string, unknown>)[name]),
        titleOf: ({ properties }) => valueText((properties as Record<string, unknown>)[name]) || undefined,
      })),
    ],
    [names, timezone],
  );
};

/** How the person's properties changed with its events, and the events themselves. */
export function EventsTab({ projectId, person }: PersonProps) {
  const [question, ask] = useQuestion();
  const event = textOf(question['event']);
  const [open, setOpen] = useState<EventRow | null>(null);
  const columns = useEventColumns();
  return (
    <Stack gap="md">
      <Timeline projectId={projectId} person={person} event={event} />
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h4">
            Events
          </Title>
          <EventPicker
            label="Only this event"
            placeholder="All events"
            clearable
            value={event ?? null}
            onChange={(name) => ask({ event: name ?? undefined })}
          />
        </Group>
        <EndlessTable
          list={list('/api/projects/{project_id}/events', {
            path: { project_id: projectId },
            query: { person_id: person.uuid, event },
          })}
          columns={columns}
          table="person-events"
          noun={['event', 'events']}
          idOf={idOf}
          nameOf={nameOf}
          onOpen={setOpen}
          height="420px"
          empty={
            <EmptyState title={event === undefined ? 'No events' : `No event ${event}`}>
              {event === undefined && 'This person was created without events, or their events were deleted.'}
            </EmptyState>
          }
        />
      </Stack>
      <Drawer opened={open !== null} onClose={() => setOpen(null)} position="right" size="lg" title={open?.event ?? ''}>
        {open && <EventDetail event={open} />}
      </Drawer>
    </Stack>
  );
}
