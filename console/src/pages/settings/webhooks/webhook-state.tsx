import { Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answer } from '../../../api/client';
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

/** Days after which a message that fails pauses its webhook. */
const patienceDays = 3;

/** Why the messages of a failing webhook do not arrive, and what happens next. */
export function LastFailure({ webhook: { id, failing_since } }: { readonly webhook: Webhook }) {
  const { id: projectId, timezone } = useProject();
  const { data } = useQuery({
    ...answer('/api/projects/{project_id}/webhooks/{id}/deliveries', {
      path: { project_id: String(projectId), id },
      query: { status: 'waiting', limit: 20 },
    }),
    refetchInterval: 5000,
  });
  const [last] = (data?.results ?? [])
    .filter(({ error, last_attempt_at: at }) => error !== null && at !== null)
    .toSorted((a, b) => (b.last_attempt_at ?? '').localeCompare(a.last_attempt_at ?? ''));
  if (!last || failing_since === null) return null;
  const { error, last_attempt_at: at, next_attempt_at: next } = last;
  const pausedAt = new Date(new Date(failing_since).getTime() + patienceDays * 86_400_000);
  return (
    <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
      <Text span inherit c="var(--mantine-color-error)">
        {error}
      </Text>
      {at !== null && `, ${formatAgo(at)}`}. The message is tried again
      {next !== null && ` ${formatAgo(next)}`}, then ever later, and later ones wait for it. If none is accepted before{' '}
      {formatTime(pausedAt, timezone)}, the webhook is paused.
    </Text>
  );
}
