import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useProject } from '../../../address/project-context';

/** A day or a moment as the browser's field writes it; the moment is one of the project's clock. */
const fieldText = (asOf: string | undefined): string => {
  const [, day, time = '00:00'] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?/.exec(asOf ?? '') ?? [];
  return day === undefined ? '' : `${day}T${time}`;
};

const nowIn = (timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(new Date())
    .replace(' ', 'T');

interface AsOfFieldProps {
  readonly value: string | undefined;
  readonly onChange: (asOf: string | undefined) => void;
}

/** An earlier moment. What is typed counts when the field is left, or with Enter, because a moment is written in parts. */
export function AsOfField({ value, onChange }: AsOfFieldProps) {
  const { timezone } = useProject();
  const [typed, setTyped] = useState(fieldText(value));
  const [known, setKnown] = useState(value);
  if (value !== known) {
    setKnown(value);
    setTyped(fieldText(value));
  }
  const apply = (): void => {
    if (typed !== fieldText(value)) onChange(typed === '' ? undefined : typed);
  };
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        type="datetime-local"
        label={`As of (${timezone})`}
        max={nowIn(timezone)}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={apply}
        onKeyDown={({ key }) => key === 'Enter' && apply()}
      />
      {value !== undefined && (
        <Button variant="default" onClick={() => onChange(undefined)}>
          Now
        </Button>
      )}
    </Group>
  );
}
