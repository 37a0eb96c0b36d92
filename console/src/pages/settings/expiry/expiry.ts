/** A name of events with a time of its own, as the form has it; null: for ever. */
export interface Exception {
  readonly name: string;
  readonly days: number | null;
}

export interface Expiry {
  readonly days: number | null;
  readonly exceptions: readonly Exception[];
}

/** The settings of a project. Exceptions without a name are not complete yet. */
export const settingsOf = ({ days, exceptions }: Expiry) => ({
  events_ttl_days: days,
  events_ttl_days_by_name: Object.fromEntries(
    exceptions.filter(({ name }) => name.trim() !== '').map(({ name, days: own }) => [name, own]),
  ),
});

export const expiryOf = (settings: ReturnType<typeof settingsOf>): Expiry => ({
  days: settings.events_ttl_days,
  exceptions: Object.entries(settings.events_ttl_days_by_name).map(([name, days]) => ({ name, days })),
});

/** The parameters that ask what the settings would remove. */
export const previewOf = (expiry: Expiry) => {
  const { events_ttl_days: days, events_ttl_days_by_name: byName } = settingsOf(expiry);
  return { preview: true, events_ttl_days: String(days), events_ttl_days_by_name: JSON.stringify(byName) };
};

export const removesSomething = ({ days, exceptions }: Expiry): boolean =>
  days !== null || exceptions.some((exception) => exception.days !== null);
