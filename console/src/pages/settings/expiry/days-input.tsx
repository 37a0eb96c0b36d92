import { NumberInput } from '@mantine/core';

interface DaysInputProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly description?: string;
  readonly value: number | null;
  readonly onChange: (days: number | null) => void;
  readonly isReadOnly: boolean;
  readonly error?: string | null;
}

/** A number of days; an empty field means for ever. */
export function DaysInput({ label, isLabelHidden = false, value, onChange, isReadOnly, ...rest }: DaysInputProps) {
  return (
    <NumberInput
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      {...rest}
      placeholder="forever"
      suffix=" days"
      min={1}
      max={36_500}
      allowDecimal={false}
      allowNegative={false}
      readOnly={isReadOnly}
      value={value ?? ''}
      onChange={(days) => onChange(typeof days === 'number' ? days : null)}
      w={180}
    />
  );
}
