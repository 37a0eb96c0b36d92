import { ActionIcon, Group, Indicator, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';

/** Connecting only until the first attempt has ended. */
export type Connection = 'connecting' | 'open' | 'lost';

export type StreamState = Connection | 'paused';

const states: Readonly<Record<StreamState, { readonly color: string; readonly label: string }>> = {
  open: { color: 'teal', label: 'Connected' },
  connecting: { color: 'yellow', label: 'Connecting …' },
  lost: { color: 'red', label: 'Not connected' },
  paused: { color: 'gray', label: 'Paused' },
};

interface StreamControlProps {
  /** Named by the buttons: "the stream". */
  readonly what: string;
  readonly state: StreamState;
  readonly onPause: (isPaused: boolean) => void;
  readonly size?: number | 'lg';
}

/** Shows if a page follows by itself, with a button that stops it. */
export function StreamControl({ what, state, onPause, size = 'lg' }: StreamControlProps) {
  const { color, label } = states[state];
  const isPaused = state === 'paused';
  return (
    <>
      <Group gap={14} px="xs" role="status">
        <Indicator color={color} processing={state === 'open'} size={9} aria-hidden>
          <span />
        </Indicator>
        <Text size="sm">{label}</Text>
      </Group>
      <ActionIcon
        variant="default"
        size={size}
        aria-label={`${isPaused ? 'Resume' : 'Pause'} ${what}`}
        title={isPaused ? 'Resume' : 'Pause'}
        onClick={() => onPause(!isPaused)}
      >
        {isPaused ? <IconPlayerPlay size={18} /> : <IconPlayerPause size={18} />}
      </ActionIcon>
    </>
  );
}
