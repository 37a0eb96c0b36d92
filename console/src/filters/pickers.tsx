import { Group, TagsInput, Text, TextInput, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer } from '../api/client';
import { useProjectId } from '../address/project-context';
import { keyProperty } from './account-words';
import { cohortChoices, useCohorts } from './cohorts';
import { type FilterLeaf } from './filter';
import { operatorOf } from './operators';
import { usePropertyNames, usePropertyValues, type PropertyOwner } from './properties';
import { Select } from '../ui/select';

interface PickerProps extends Pick<SelectProps, 'placeholder' | 'size' | 'w' | 'clearable' | 'flex' | 'autoFocus'> {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

const longStale = { staleTime: 300_000 };

/** The names of a list, with the current value even if the list does not have it. */
const withCurrent = (names: readonly string[], value: string | null): string[] =>
  value === null || value === '' || names.includes(value) ? [...names] : [value, ...names];

export const useEventNames = (): readonly { name: string; count: number }[] => {
  const projectId = useProjectId();
  const { data } = useQuery({
    ...answer('/api/projects/{project_id}/events/names', { path: { project_id: projectId }, query: { limit: 1000 } }),
    ...longStale,
  });
  return data?.results ?? [];
};

export function EventPicker({ label, value, onChange, ...props }: PickerProps) {
  const names = useEventNames().map(({ name }) => name);
  return (
    <Select
      {...props}
      aria-label={label}
      placeholder={props.placeholder ?? 'Event'}
      data={withCurrent(names, value)}
      value={value}
      onChange={onChange}
      searchable
      limit={100}
      nothingFoundMessage="No such event"
    />
  );
}

/** The name under which people see a property. */
const shownName = (name: string) => ({ value: name, label: name === keyProperty ? 'Key' : name });

export function PropertyPicker({
  label,
  owner,
  value,
  onChange,
  ...props
}: PickerProps & { readonly owner: PropertyOwner }) {
  const names = usePropertyNames(owner);
  const all = owner.type === 'group' ? [keyProperty, ...names] : names;
  return (
    <Select
      {...props}
      aria-label={label}
      placeholder={props.placeholder ?? 'Property'}
      data={withCurrent(all, value).map(shownName)}
      value={value}
      onChange={onChange}
      searchable
      limit={100}
      nothingFoundMessage="No such property"
    />
  );
}

export function CohortPicker({ label, value, onChange, ...props }: PickerProps) {
  const cohorts = useCohorts();
  return (
    <Select
      {...props}
      aria-label={label}
      placeholder={props.placeholder ?? 'Cohort'}
      data={cohortChoices(cohorts, value === null ? [] : [value])}
      value={value}
      onChange={onChange}
      searchable
      limit={100}
    />
  );
}

type FilterValue = FilterLeaf['value'];

/** A filter that was made elsewhere may hold yes or no, or null. */
const valuesOf = (value: FilterValue | boolean | null): string[] => {
  if (value === undefined || value === null || value === '') return [];
  return typeof value === 'object' ? value.map(String) : [String(value)];
};

interface ValueInputProps {
  readonly owner: PropertyOwner;
  readonly propertyKey: string;
  readonly operator: string | undefined;
  readonly value: FilterValue;
  readonly onChange: (value: string | string[]) => void;
  readonly size?: string;
}

/** Suggests the most frequent values of the property. */
export function ValueInput({ owner, propertyKey, operator, value, onChange, size = 'sm' }: ValueInputProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed, 250);
  const { takes } = operatorOf(operator);
  const suggested = usePropertyValues(owner, propertyKey, search, takes === 'many');
  if (takes === 'none') return null;
  if (takes === 'one') {
    const [text = ''] = valuesOf(value);
    return (
      <TextInput
        size={size}
        aria-label="Value"
        placeholder="Value"
        value={text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  const values = valuesOf(value);
  if (takes === 'two') {
    const [from = '', to = ''] = values;
    const bound = (label: string, text: string, changed: (text: string) => string[]) => (
      <TextInput
        size={size}
        w={110}
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={({ currentTarget }) => onChange(changed(currentTarget.value))}
      />
    );
    return (
      <Group gap="xs" wrap="nowrap">
        {bound('From', from, (text) => [text, to])}
        <Text size="sm">and</Text>
        {bound('To', to, (text) => [from, text])}
      </Group>
    );
  }
  return (
    <TagsInput
      size={size}
      aria-label="Values"
      placeholder={values.length === 0 ? 'Value' : undefined}
      data={suggested}
      value={values}
      onChange={onChange}
      onSearchChange={setTyped}
      acceptValueOnBlur
      maw={420}
    />
  );
}
