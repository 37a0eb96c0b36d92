import { Drawer, ScrollArea, SegmentedControl, Stack, Text } from '@mantine/core';
import { useProject } from '../../../address/project-context';
import { textOf, useQuestion } from '../../../address/search';
import { Records } from '../shared/records';
import { DeliveryTable } from './delivery-table';
import { webhooksAddress, type Delivery, type Webhook } from './webhooks';

const statuses = [
  { value: 'all', label: 'All' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
  { value: 'dropped', label: 'Dropped' },
];

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
  const address = `${webhooksAddress(project.id)}/${webhook.id}/deliveries`;
  return (
    <Stack gap="sm">
      <ScrollArea type="auto">
        <SegmentedControl
          size="xs"
          aria-label="Status of the deliveries"
          data={statuses}
          value={status}
          onChange={(chosen) => ask({ status: chosen === 'all' ? undefined : chosen })}
        />
      </ScrollArea>
      <Records<Delivery>
        key={status}
        name="webhook-deliveries"
        address={`${address}?limit=50${status === 'all' ? '' : `&status=${status}`}`}
        empty={status === 'all' ? 'Nothing was sent in the last 30 days.' : 'No delivery has this status.'}
        readAgainAfter={5000}
      >
        {(deliveries) => <DeliveryTable address={address} deliveries={deliveries} />}
      </Records>
      <Text size="xs" c="dimmed">
        Newest first. Deliveries are kept for 30 days.
      </Text>
    </Stack>
  );
}
