import { DateRangeButton, type DateRangeProps } from './date-range-button';
import { menuOnDemand } from './on-demand';

/** A button with the range, and a panel to change it. */
export const DateRangePicker = menuOnDemand(
  ({ value, fallback }: DateRangeProps, use) => (
    <DateRangeButton range={value} fallback={fallback} {...use} aria-haspopup="dialog" />
  ),
  async () => (await import('./date-range-menu')).DateRangeMenu,
);
