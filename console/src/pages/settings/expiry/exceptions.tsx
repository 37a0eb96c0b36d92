import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { errorAt } from '../../../ui/field-error';
import { DaysInput } from './days-input';
import { type Exception } from './expiry';

interface ExceptionsProps {
  readonly exceptions: readonly Exception[];
  readonly onChange: (exceptions: readonly Exception[]) => void;
  readonly isReadOnly: boolean;
  readonly error: Error | null;
}

const mostExceptions = 100;

/** Event names that are kept for another time than the others. */
export function Exceptions({ exceptions, onChange, isReadOnly, error }: ExceptionsProps) {
  const change = (at: number, fields: Partial<Exception>): void =>
    onChange(exceptions.map((exception, index) => (index === at ? { ...exception, ...fields } : exception)));
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        Exceptions by name
      </Text>
      {exceptions.length === 0 && (
        <Text size="sm" c="dimmed">
          All events are kept for the same time.
        </Text>
      )}
      {exceptions.map(({ name, days }, at) => (
        <Group key={at} gap="xs" align="flex-start">
          <TextInput
            aria-label={`Event name ${at + 1}`}
            placeholder="$pageview"
            style={{ flex: '1 1 200px' }}
            readOnly={isReadOnly}
            value={name}
            onChange={({ currentTarget }) => change(at, { name: currentTarget.value })}
            error={name === '' ? null : errorAt(error, `events_ttl_days_by_name.${name}`)}
          />
          <DaysInput
            label={`Days of event name ${at + 1}`}
            isLabelHidden
            value={days}
            onChange={(value) => change(at, { days: value })}
            isReadOnly={isReadOnly}
          />
          {!isReadOnly && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Remove exception ${at + 1}`}
              onClick={() => onChange(exceptions.filter((_, index) => index !== at))}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {!isReadOnly && (
        <Group>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            disabled={exceptions.length >= mostExceptions}
            onClick={() => onChange([...exceptions, { name: '', days: null }])}
          >
            Add an exception
          </Button>
        </Group>
      )}
    </Stack>
  );
}
