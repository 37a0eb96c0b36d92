import { NativeSelect, type NativeSelectProps } from '@mantine/core';

interface ChoiceProps extends Pick<NativeSelectProps, 'aria-label' | 'w' | 'maw'> {
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** One line of a short list, which the browser shows: it needs no code for that, and a phone has a list of its own. */
export function Choice({ data, value, onChange, ...props }: ChoiceProps) {
  // True for a value that an address has and the list does not.
  const isOther = !data.some((one) => one.value === value);
  return (
    <NativeSelect
      {...props}
      data={[...data, ...(isOther ? [value] : [])]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
