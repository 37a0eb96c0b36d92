import { Button } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { type ComponentProps } from 'react';
import { labelOf, type DateRange } from './date-range';

export interface DateRangeProps {
  readonly value: DateRange;
  readonly onChange: (range: DateRange) => void;
  /** The range that the service takes when none is set. */
  readonly fallback?: string;
}

/** Shows the range. */
export function DateRangeButton({
  range,
  fallback = 'Last 7 days',
  ...props
}: { readonly range: DateRange; readonly fallback?: string } & Omit<ComponentProps<'button'>, 'style' | 'color'>) {
  return (
    <Button {...props} variant="default" leftSection={<IconCalendar size={16} aria-hidden />}>
      {labelOf(range, fallback)}
    </Button>
  );
}
