/** The parameters that define the steps, which the correlation of a funnel has too. */
export const funnelParameters = [
  'funnel_order_type',
  'funnel_window_interval',
  'funnel_window_interval_unit',
  'exclusions',
] as const;
