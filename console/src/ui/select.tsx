import { Select as LibrarySelect, type Primitive, type SelectProps } from '@mantine/core';
import { useState } from 'react';

/** A list to choose from. Its options, of which a page may have hundreds, are drawn from the first focus on. */
export function Select<Value extends Primitive = string>({ onFocus, comboboxProps, ...props }: SelectProps<Value>) {
  const [wasFocused, setWasFocused] = useState(false);
  return (
    <LibrarySelect
      {...props}
      comboboxProps={{ keepMounted: wasFocused, ...comboboxProps }}
      onFocus={(event) => {
        setWasFocused(true);
        onFocus?.(event);
      }}
    />
  );
}
