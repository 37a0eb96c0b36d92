import { Anchor, Button, Table, Text } from '@mantine/core';
import { IconEraser } from '@tabler/icons-react';
import { pages } from '../../../api/client';
import { useOpenProject } from '../../../address/project-context';
import { textOf, useQuestion } from '../../../address/search';
import { CardTable, type Head } from '../../../ui/card-table';
import { formatNumber, formatTime } from '../../../ui/format';
import { Records } from '../../../ui/records';
import { Failure, RemovalState } from '../shared/removal-state';
import { Section } from '../shared/section';
import { DeleteEvents } from './delete-events';
import { detailOf, subjectOf, type DeletionRequest } from './deletion';
import { Receipt } from './receipt';

/** Requests to delete events; one of them with its receipt; or the form of a new one. The address says which. */
export function DeletionsSection() {
  const [question, ask] = useQuestion();
  const request = textOf(question['request']);
  if (request !== undefined) return <Receipt key={request} id={request} onClose={() => ask({ request: undefined })} />;
  if (question['new'] === true)
    return (
      <DeleteEvents
        onClose={() => ask({ new: undefined })}
        onDone={(id) => ask({ new: undefined, request: id }, { replace: true })}
      />
    );
  return <Requests onNew={() => ask({ new: true })} onOpen={(id) => ask({ request: id })} />;
}

const heads: readonly Head[] = [
  { label: 'Of' },
  { label: 'State', w: 110 },
  { label: 'Requested', w: 160 },
  { label: 'Events', ta: 'right', w: 100 },
  { label: 'Receipt', w: 190 },
];

interface RequestsProps {
  readonly onNew: () => void;
  readonly onOpen: (id: string) => void;
}

function Requests({ onNew, onOpen }: RequestsProps) {
  const { project, can } = useOpenProject();
  return (
    <Section
      title="Deletion requests"
      description="Each receipt says when no store had the events, or the removed properties, any more."
      actions={
        can('event:write') &&
        can('person:write') && (
          <Button variant="default" leftSection={<IconEraser size={16} aria-hidden />} onClick={onNew}>
            Delete events
          </Button>
        )
      }
    >
      <Records
        query={{
          ...pages('/api/projects/{project_id}/deletion_requests', {
            path: { project_id: String(project.id) },
            query: { limit: 20 },
          }),
          refetchInterval: 15_000,
        }}
        empty="No events have been deleted."
      >
        {(requests) => (
          <CardTable minWidth={680} heads={heads} hasNumbers highlightOnHover aria-label="Deletion requests">
            {requests.map((request) => (
              <RequestRow key={request.id} request={request} onOpen={() => onOpen(request.id)} />
            ))}
          </CardTable>
        )}
      </Records>
    </Section>
  );
}

function RequestRow({ request, onOpen }: { readonly request: DeletionRequest; readonly onOpen: () => void }) {
  const { timezone } = useOpenProject().project;
  const { events_deleted: deleted, events_scrubbed: scrubbed, verified_at: verified } = request;
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Anchor component="button" type="button" size="sm" fw={550} onClick={onOpen} ta="left">
          {subjectOf(request)}
        </Anchor>
        <Text size="xs" c="dimmed" lineClamp={2}>
          {detailOf(request)}
        </Text>
      </Table.Td>
      <Table.Td>
        <RemovalState state={request.state} />
      </Table.Td>
      <Table.Td>{formatTime(request.created_at, timezone)}</Table.Td>
      <Table.Td ta="right">{formatNumber(deleted + scrubbed)}</Table.Td>
      <Table.Td>
        {verified === null ? (
          <Text size="sm" c="dimmed">
            Planned for {formatTime(request.scheduled_for, timezone)}
          </Text>
        ) : (
          `Verified ${formatTime(verified, timezone)}`
        )}
        <Failure text={request.error && `The last attempt did not finish: ${request.error}`} />
      </Table.Td>
    </Table.Tr>
  );
}
