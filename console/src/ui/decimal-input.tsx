import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useState } from 'react';

/** A number, or nothing yet. */
type Typed = number | '';

interface Props extends Omit<NumberInputProps, 'value' | 'defaultValue' | 'onChange'> {
  readonly value: Typed;
  readonly onChange: (value: Typed) => void;
}

/** A field for a number with decimals. It shows what is typed, such as `2.`, which is not the same as the number that it is so far. */
export function DecimalInput({ value, onChange, ...field }: Props) {
  const [typed, setTyped] = useState<number | string>(value);
  return (
    <NumberInput
      {...field}
      value={numberOf(typed) === value ? typed : value}
      onChange={(changed) => {
        setTyped(changed);
        onChange(numberOf(changed));
      }}
    />
  );
}

const numberOf = (typed: number | string): Typed => {
  if (typeof typed === 'number') return typed;
  const number = Number(typed);
  return typed.trim() === '' || Number.isNaN(number) ? '' : number;
};
