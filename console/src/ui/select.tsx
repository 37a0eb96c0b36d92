import {
  getParsedComboboxData,
  Select as LibrarySelect,
  type ComboboxItem,
  type Primitive,
  type SelectProps,
} from '@mantine/core';
import { useRef, useState } from 'react';
import { bestFirst, bestOption } from './best-first';

interface Props<Value extends Primitive> extends SelectProps<Value> {
  /** Makes an option of what is typed when no other contains it. */
  readonly newOption?: (typed: string) => ComboboxItem<Value>;
}

/**
 * A list to choose from. Its options, of which a page may have hundreds, are drawn from the first focus on. In a list that can be
 * searched the first click marks the chosen text, so that what is typed takes its place. Enter and leaving the field choose the
 * option that fits best what is typed; Escape drops it.
 */
export function Select<Value extends Primitive = string>({
  onFocus,
  onMouseDown,
  onClick,
  onBlur,
  comboboxProps,
  newOption,
  ...props
}: Props<Value>) {
  const [wasFocused, setWasFocused] = useState(props.autoFocus === true);
  // Not set by the focus, of which React says nothing when a new field has it.
  const isFirstClick = useRef(true);
  const typed = useRef('');
  const isSearchable = props.searchable === true;
  const [search, setSearch] = useState('');
  const fitting = (text: string) => bestOption<Value>(getParsedComboboxData<Value>(props.data), text);
  const text = search.trim();
  const added = newOption && text !== '' && fitting(text) === null ? newOption(text) : null;
  const chooseTyped = () => {
    const option = fitting(typed.current) ?? added;
    if (typed.current.trim() === '') return;
    typed.current = '';
    if (option && option.value !== props.value) props.onChange?.(option.value, option);
  };
  return (
    <LibrarySelect
      filter={bestFirst}
      selectFirstOptionOnChange={isSearchable}
      {...props}
      data={added ? [...getParsedComboboxData<Value>(props.data), added] : props.data}
      comboboxProps={{ keepMounted: wasFocused, ...comboboxProps }}
      onInput={({ currentTarget }) => {
        isFirstClick.current = false;
        typed.current = currentTarget.value;
        setSearch(currentTarget.value);
      }}
      onOptionSubmit={() => {
        typed.current = '';
        setSearch('');
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') typed.current = '';
        // The list has chosen its marked option by then; options that arrived after the typing are not marked.
        if (key === 'Enter' && isSearchable) setTimeout(chooseTyped);
      }}
      onBlur={(event) => {
        isFirstClick.current = true;
        if (isSearchable) chooseTyped();
        onBlur?.(event);
      }}
      onFocus={(event) => {
        setWasFocused(true);
        if (isSearchable) event.currentTarget.select();
        onFocus?.(event);
      }}
      onMouseDown={(event) => {
        // A click on marked text would unmark it after the event of the click.
        const hasFocus = document.activeElement === event.currentTarget;
        if (isSearchable && isFirstClick.current && hasFocus) event.preventDefault();
        onMouseDown?.(event);
      }}
      onClick={(event) => {
        if (isSearchable && isFirstClick.current) event.currentTarget.select();
        isFirstClick.current = false;
        onClick?.(event);
      }}
    />
  );
}
