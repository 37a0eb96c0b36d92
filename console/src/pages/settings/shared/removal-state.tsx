import { Badge, Text } from '@mantine/core';

const states = {
  pending: { label: 'Waiting', color: 'gray' },
  running: { label: 'Running', color: 'blue' },
  done: { label: 'Done', color: 'teal' },
  stopped: { label: 'Stopped', color: 'gray' },
} as const;

/** How far the removal of events is. */
export function RemovalState({ state }: { readonly state: keyof typeof states }) {
  const { label, color } = states[state];
  return (
    <Badge variant="dot" tt="none" miw="max-content" color={color}>
      {label}
    </Badge>
  );
}

export function Failure({ text }: { readonly text: string | null }) {
  return (
    text !== null && (
      <Text size="xs" c="var(--mantine-color-error)" style={{ overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    )
  );
}
