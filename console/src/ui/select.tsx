import { Select as LibrarySelect, type Primitive, type SelectProps } from '@mantine/core';
import { useRef, useState } from 'react';

/**
 * A list to choose from. Its options, of which a page may have hundreds, are drawn from the first focus on. In a list that can be
 * searched the first click marks the chosen text, so that what is typed takes its place.
 */
export function Select<Value extends Primitive = string>({
  onFocus,
  onClick,
  comboboxProps,
  ...props
}: SelectProps<Value>) {
  const [wasFocused, setWasFocused] = useState(false);
  const isFirstClick = useRef(false);
  return (
    <LibrarySelect
      {...props}
      comboboxProps={{ keepMounted: wasFocused, ...comboboxProps }}
      onFocus={(event) => {
        setWasFocused(true);
        isFirstClick.current = true;
        if (props.searchable === true) event.currentTarget.select();
        onFocus?.(event);
      }}
      onClick={(event) => {
        if (props.searchable === true && isFirstClick.current) event.currentTarget.select();
        isFirstClick.current = false;
        onClick?.(event);
      }}
    />
  );
}
