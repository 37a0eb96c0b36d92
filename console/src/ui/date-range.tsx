import { Button, Group, Menu, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useState } from 'react';

export interface DateRange {
  readonly date_from?: string | undefined;
  readonly date_to?: string | undefined;
}

const presets: readonly (readonly [string, DateRange])[] = [
  ['Last 24 hours', { date_from: '-24h' }],
  ['Today', { date_from: 'dStart' }],
  ['Last 7 days', { date_from: '-7d' }],
  ['Last 14 days', { date_from: '-14d' }],
  ['Last 30 days', { date_from: '-30d' }],
  ['Last 90 days', { date_from: '-90d' }],
  ['This month', { date_from: 'mStart' }],
  ['Previous month', { date_from: '-1mStart', date_to: '-1mEnd' }],
  ['This year', { date_from: 'yStart' }],
  ['All time', { date_from: 'all' }],
];

const labelOf = ({ date_from, date_to }: DateRange, fallback: string): string => {
  if (date_from === undefined && date_to === undefined) return fallback;
  const preset = presets.find(([, range]) => range.date_from === date_from && range.date_to === date_to);
  return preset?.[0] ?? `${date_from ?? '…'} to ${date_to ?? 'now'}`;
};

/** Relative ranges by name, and any range by its two dates. */
export function DateRangePicker({
  value,
  onChange,
  fallback = 'Last 7 days',
}: {
  readonly value: DateRange;
  readonly onChange: (range: DateRange) => void;
  /** What the service takes when no range is set. */
  readonly fallback?: string;
}) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  return (
    <Menu position="bottom-start" closeOnItemClick>
      <Menu.Target>
        <Button variant="default" leftSection={<IconCalendar size={16} aria-hidden />}>
          {labelOf(value, fallback)}
        </Button>
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
