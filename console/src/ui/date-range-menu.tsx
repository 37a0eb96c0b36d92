import { Button, Group, Menu, TextInput } from '@mantine/core';
import { useState } from 'react';
import { presets } from './date-range';
import { DateRangeButton, type DateRangeProps } from './date-range-button';
import { useOpening } from './on-demand';

/** Relative ranges by name, and any range by its two dates. */
export function DateRangeMenu({ value, onChange, fallback }: DateRangeProps) {
  const { button, menu } = useOpening();
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  return (
    <Menu position="bottom-start" closeOnItemClick {...menu}>
      <Menu.Target>
        <DateRangeButton ref={button} range={value} fallback={fallback} />
      </Menu.Target>
      <Menu.Dropdown>
        {presets.map(([label, range]) => (
          <Menu.Item key={label} onClick={() => onChange({ date_from: range.date_from, date_to: range.date_to })}>
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (from !== '') onChange({ date_from: from, date_to: to === '' ? undefined : to });
          }}
        >
          <Group gap="xs" p="xs" align="flex-end" wrap="nowrap">
            <TextInput
              type="date"
              size="xs"
              label="From"
              value={from}
              onChange={({ currentTarget }) => setFrom(currentTarget.value)}
            />
            <TextInput
              type="date"
              size="xs"
              label="To"
              value={to}
              onChange={({ currentTarget }) => setTo(currentTarget.value)}
            />
            <Button size="xs" type="submit" variant="light">
              Apply
            </Button>
          </Group>
        </form>
      </Menu.Dropdown>
    </Menu>
  );
}
