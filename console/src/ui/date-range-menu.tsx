import '@mantine/dates/styles.layer.css';
import { Button, Group, NumberInput, Popover, Stack } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { IconCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useProject } from '../address/project-context';
import { isDay, labelOf, presetOf, presets, type DateRange } from './date-range';
import { DateRangeButton, type DateRangeProps } from './date-range-button';
import classes from './date-range-menu.module.css';
import { todayIn } from './format';
import { useOpening } from './on-demand';

type Days = [string | null, string | null];

/** Relative ranges by name or number of days, and any range in a calendar. */
export function DateRangeMenu({ value, onChange, fallback = 'Last 7 days' }: DateRangeProps) {
  const { button, menu } = useOpening();
  const choose = (range: DateRange): void => {
    menu.onChange(false);
    onChange({ date_from: range.date_from, date_to: range.date_to });
  };
  return (
    <Popover position="bottom-start" shadow="md" trapFocus returnFocus {...menu}>
      <Popover.Target>
        <DateRangeButton ref={button} range={value} fallback={fallback} onClick={() => menu.onChange(!menu.opened)} />
      </Popover.Target>
      <Popover.Dropdown p="sm">
        <div className={classes.panel}>
          <Presets chosen={presetOf(value) ?? labelOf(value, fallback)} onChoose={choose} />
          <Stack gap="sm">
            <LastDays onChoose={choose} />
            <Calendar value={value} onChoose={choose} />
          </Stack>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

interface PartProps {
  readonly onChoose: (range: DateRange) => void;
}

function Presets({ chosen, onChoose }: PartProps & { readonly chosen: string }) {
  return (
    <div role="group" aria-label="Ranges" className={classes.presets}>
      {presets.map(([label, range]) => (
        <Button
          key={label}
          size="compact-sm"
          variant={label === chosen ? 'light' : 'subtle'}
          color={label === chosen ? undefined : 'gray'}
          c={label === chosen ? undefined : 'var(--mantine-color-text)'}
          fw={label === chosen ? 600 : 400}
          justify="space-between"
          rightSection={label === chosen && <IconCheck size={14} aria-hidden />}
          aria-pressed={label === chosen}
          data-autofocus={label === chosen || undefined}
          onClick={() => onChoose(range)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

function Calendar({ value: { date_from, date_to }, onChoose }: PartProps & { readonly value: DateRange }) {
  const { timezone, week_start_day: weekStart } = useProject();
  const today = todayIn(timezone);
  const from = isDay(date_from) ? date_from : null;
  const to = isDay(date_to) ? date_to : null;
  const [days, setDays] = useState<Days>([from, to ?? (from === null ? null : today)]);
  return (
    <DatePicker
      type="range"
      size="xs"
      weekendDays={[]}
      allowSingleDateInRange
      firstDayOfWeek={(weekStart % 7) as 0 | 1 | 2 | 3 | 4 | 5 | 6}
      maxDate={today}
      defaultDate={to ?? from ?? today}
      getDayProps={(day) => (day === today ? { 'aria-current': 'date' } : {})}
      value={days}
      onChange={(chosen) => {
        setDays(chosen);
        const [first, last] = chosen;
        if (first !== null && last !== null) onChoose({ date_from: first, date_to: last });
      }}
      aria-label="Days"
    />
  );
}

function LastDays({ onChoose }: PartProps) {
  const [count, setCount] = useState<number | string>('');
  const isReady = typeof count === 'number' && count >= 1;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onChoose({ date_from: `-${count}d` });
      }}
    >
      <Group gap="xs" wrap="nowrap">
        <NumberInput
          size="xs"
          aria-label="Number of days until now"
          placeholder="Last … days"
          prefix="Last "
          suffix=" days"
          min={1}
          max={3650}
          allowDecimal={false}
          allowNegative={false}
          value={count}
          onChange={setCount}
        />
        <Button size="xs" type="submit" variant="light" disabled={!isReady}>
          Apply
        </Button>
      </Group>
    </form>
  );
}
