import '@mantine/dates/styles.layer.css';
import { DateInput, type DateInputProps } from '@mantine/dates';
import { useProject } from '../address/project-context';

/** Takes whole days only, `2026-11-30` and `30 Nov 2026`: what is typed so far is no other day. */
const readDay = (text: string): string | null => {
  const trimmed = text.trim();
  if (!/^(\d{4}-\d{2}-\d{2}|\d{1,2} [a-z]{3,9} \d{4})$/i.test(trimmed)) return null;
  const at = new Date(trimmed.includes('-') ? `${trimmed}T12:00Z` : `${trimmed} 12:00 UTC`);
  return Number.isNaN(at.getTime()) ? null : at.toISOString().slice(0, 10);
};

/** A day as `2026-11-30`, chosen in a calendar or typed, and written as the pages write days. */
export function DayInput(props: Omit<DateInputProps, 'valueFormat' | 'firstDayOfWeek' | 'dateParser'>) {
  const { week_start_day: weekStart } = useProject();
  return (
    <DateInput
      valueFormat="D MMM YYYY"
      dateParser={readDay}
      weekendDays={[]}
      clearButtonProps={{ 'aria-label': 'Remove the day' }}
      firstDayOfWeek={(weekStart % 7) as 0 | 1 | 2 | 3 | 4 | 5 | 6}
      {...props}
    />
  );
}
