import { getParsedComboboxData, Select as LibrarySelect, type Primitive, type SelectProps } from '@mantine/core';
import { useRef, useState } from 'react';
import { bestFirst, bestOption } from './best-first';

/**
 * A list to choose from. Its options, of which a page may have hundreds, are drawn from the first focus on. In a list that can be
 * searched the first click marks the chosen text, so that what is typed takes its place. Enter and leaving the field choose the
 * option that fits best what is typed; Escape drops it.
 */
export function Select<Value extends Primitive = string>({
  onFocus,
  onClick,
  onBlur,
  comboboxProps,
  ...props
}: SelectProps<Value>) {
  const [wasFocused, setWasFocused] = useState(false);
  const isFirstClick = useRef(false);
  const typed = useRef('');
  const isSearchable = props.searchable === true;
  const chooseTyped = () => {
    const option = bestOption<Value>(getParsedComboboxData<Value>(props.data), typed.current);
    typed.current = '';
    if (option && option.value !== props.value) props.onChange?.(option.value, option);
  };
  return (
    <LibrarySelect
      filter={bestFirst}
      selectFirstOptionOnChange={isSearchable}
      {...props}
      comboboxProps={{ keepMounted: wasFocused, ...comboboxProps }}
      onInput={({ currentTarget }) => {
        typed.current = currentTarget.value;
      }}
      onOptionSubmit={() => {
        typed.current = '';
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') typed.current = '';
        // The list has chosen its marked option by then; options that arrived after the typing are not marked.
        if (key === 'Enter' && isSearchable) setTimeout(chooseTyped);
      }}
      onBlur={(event) => {
        if (isSearchable) chooseTyped();
        onBlur?.(event);
      }}
      onFocus={(event) => {
        setWasFocused(true);
        isFirstClick.current = true;
        if (isSearchable) event.currentTarget.select();
        onFocus?.(event);
      }}
      onClick={(event) => {
        if (isSearchable && isFirstClick.current) event.currentTarget.select();
        isFirstClick.current = false;
        onClick?.(event);
      }}
    />
  );
}
