import { Button, Group } from '@mantine/core';
import { useProject } from '../../../address/project-context';
import { MomentInput } from '../../../ui/moment-input';

/** A day or a moment as the field has it; the moment is one of the project's clock. */
const fieldText = (asOf: string | undefined): string => {
  const [, day, time = '00:00'] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?/.exec(asOf ?? '') ?? [];
  return day === undefined ? '' : `${day}T${time}`;
};

interface AsOfFieldProps {
  readonly value: string | undefined;
  readonly onChange: (asOf: string | undefined) => void;
}

/** An earlier moment, at which the members are listed. */
export function AsOfField({ value, onChange }: AsOfFieldProps) {
  const { timezone } = useProject();
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <MomentInput
        label={`As of (${timezone})`}
        maxDate={new Date()}
        value={fieldText(value)}
        onChange={(asOf) => onChange(asOf || undefined)}
      />
      {value !== undefined && (
        <Button variant="default" onClick={() => onChange(undefined)}>
          Now
        </Button>
      )}
    </Group>
  );
}
