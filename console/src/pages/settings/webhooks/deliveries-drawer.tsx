import { Drawer, ScrollArea, SegmentedControl, Stack, Text } from '@mantine/core';
import { pages } from '../../../api/client';
import { useProject } from '../../../address/project-context';
import { textOf, useQuestion } from '../../../address/search';
import { Records } from '../../../ui/records';
import { DeliveryTable } from './delivery-table';
import { type Webhook } from './webhooks';

const statuses = [
  { value: 'all', label: 'All' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
  { value: 'dropped', label: 'Dropped' },
] as const;

interface DeliveriesDrawerProps {
  readonly webhook: Webhook | null;
  readonly onClose: () => void;
}

/** The log of the messages to one webhook. */
export function DeliveriesDrawer({ webhook, onClose }: DeliveriesDrawerProps) {
  return (
    <Drawer
      opened={webhook !== null}
      onClose={onClose}
      position="right"
      size="xl"
      title={`Deliveries to ${webhook?.url ?? ''}`}
      styles={{ title: { fontWeight: 600, overflowWrap: 'anywhere' } }}
      closeButtonProps={{ 'aria-label': 'Close the deliveries' }}
    >
      {webhook && <Deliveries webhook={webhook} />}
    </Drawer>
  );
}

function Deliveries({ webhook }: { readonly webhook: Webhook }) {
  const project = useProject();
  const [question, ask] = useQuestion();
  const status = statuses.find(({ value }) => value === textOf(question['status']))?.value ?? 'all';
  const list = pages('/api/projects/{project_id}/webhooks/{id}/deliveries', {
    path: { project_id: String(project.id), id: webhook.id },
    query: { limit: 50, status: status === 'all' ? undefined : status },
  });
  return (
    <Stack gap="sm">
      <ScrollArea type="auto">
        <SegmentedControl
          size="xs"
          aria-label="Status of the deliveries"
          data={[...statuses]}
          value={status}
          onChange={(chosen) => ask({ status: chosen === 'all' ? undefined : chosen })}
        />
      </ScrollArea>
      <Records
        key={status}
        query={{ ...list, refetchInterval: 5000 }}
        empty={status === 'all' ? 'Nothing was sent in the last 30 days.' : 'No delivery has this status.'}
      >
        {(deliveries) => <DeliveryTable webhookId={webhook.id} deliveries={deliveries} />}
      </Records>
      <Text size="xs" c="dimmed">
        Newest first. Deliveries are kept for 30 days.
      </Text>
    </Stack>
  );
}
