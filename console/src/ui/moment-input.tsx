import { Group, TextInput } from '@mantine/core';
import { type ReactNode } from 'react';
import { DayInput } from './day-input';

interface MomentInputProps {
  readonly label: string;
  /** As `2026-11-30T09:00` by the project's clock; empty if there is none. */
  readonly value: string;
  readonly error?: ReactNode;
  readonly maxDate?: Date;
  readonly onChange: (moment: string) => void;
}

/** A day, and the time on it: midnight until another one is chosen. */
export function MomentInput({ label, value, error, maxDate, onChange }: MomentInputProps) {
  const [day = '', time = ''] = value.split('T');
  return (
    <Group gap={4} align="flex-end" wrap="nowrap">
      <DayInput
        label={label}
        placeholder="Any day"
        clearable
        w={170}
        maxDate={maxDate}
        value={day || null}
        error={error}
        onChange={(next) => onChange(next === null ? '' : `${next}T${time || '00:00'}`)}
      />
      <TextInput
        type="time"
        aria-label={`${label}, time`}
        w={110}
        disabled={day === ''}
        value={time}
        onChange={({ currentTarget }) => currentTarget.value !== '' && onChange(`${day}T${currentTarget.value}`)}
      />
    </Group>
  );
}
