import '@mantine/dates/styles.layer.css';
import { DateInput, type DateInputProps } from '@mantine/dates';
import { useProject } from '../address/project-context';

/** A day as `2026-11-30`, chosen in a calendar or typed, and written as the pages write days. */
export function DayInput(props: Omit<DateInputProps, 'valueFormat' | 'firstDayOfWeek'>) {
  const { week_start_day: weekStart } = useProject();
  return (
    <DateInput
      valueFormat="D MMM YYYY"
      weekendDays={[]}
      firstDayOfWeek={(weekStart % 7) as 0 | 1 | 2 | 3 | 4 | 5 | 6}
      {...props}
    />
  );
}
