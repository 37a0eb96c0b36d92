import { Badge, Text } from '@mantine/core';
import { type Alert } from '../../api/types';
import { useProject } from '../../address/project-context';
import { formatAgo, formatTime } from '../../ui/format';

const states = {
  Firing: { label: 'Firing', color: 'red' },
  'Not firing': { label: 'Quiet', color: 'teal' },
  Errored: { label: 'Failed', color: 'orange' },
  Snoozed: { label: 'Snoozed', color: 'gray' },
} as const;

export function AlertBadge({ alert: { state, enabled } }: { readonly alert: Alert }) {
  const { label, color } = enabled ? states[state] : { label: 'Disabled', color: 'gray' };
  return (
    <Badge variant="dot" tt="none" miw="max-content" color={color}>
      {label}
    </Badge>
  );
}

/** Says when it is checked next, or why it is not. */
export function NextCheck({ alert }: { readonly alert: Alert }) {
  const { timezone } = useProject();
  const { enabled, next_check_at: next, snoozed_until: until, state } = alert;
  if (!enabled || next === null)
    return (
      <Text size="sm" c="dimmed">
        Not checked
      </Text>
    );
  return (
    <Text size="sm" title={formatTime(next, timezone)}>
      {state === 'Snoozed' && until !== null ? `Snoozed, ${formatAgo(next)}` : formatAgo(next)}
    </Text>
  );
}
