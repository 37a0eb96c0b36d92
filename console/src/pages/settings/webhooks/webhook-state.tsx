import { Badge, Group, Text } from '@mantine/core';
import { useProject } from '../../../address/project-context';
import { formatAgo, formatTime } from '../../../ui/format';
import { type Webhook } from './webhooks';

interface State {
  readonly label: string;
  readonly color: string;
  readonly since: string | null;
}

const stateOf = ({ paused, paused_at, paused_reason, failing_since }: Webhook): State => {
  if (paused) return { label: 'Paused', color: paused_reason === null ? 'yellow' : 'red', since: paused_at };
  if (failing_since !== null) return { label: 'Failing', color: 'orange', since: failing_since };
  return { label: 'Active', color: 'teal', since: null };
};

/** Shows if a webhook sends, and since when it does not. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  const { timezone } = useProject();
  const { label, color, since } = stateOf(webhook);
  return (
    <Group gap={6} wrap="nowrap">
      {since !== null && (
        <Text size="xs" c="dimmed" component="time" dateTime={since} title={formatTime(since, timezone)}>
          {formatAgo(since)}
        </Text>
      )}
      <Badge variant="dot" tt="none" miw="max-content" color={color}>
        {label}
      </Badge>
    </Group>
  );
}
