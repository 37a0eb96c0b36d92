/** A name of events with a time of its own, as the form has it; null: for ever. */
export interface Exception {
  readonly name: string;
  readonly days: number | null;
}

export interface Ttl {
  readonly days: number | null;
  readonly exceptions: readonly Exception[];
}

/** The settings of a project. Exceptions without a name are not complete yet. */
export const settingsOf = ({ days, exceptions }: Ttl) => ({
  events_ttl_days: days,
  events_ttl_days_by_name: Object.fromEntries(
    exceptions.filter(({ name }) => name.trim() !== '').map(({ name, days: own }) => [name, own]),
  ),
});

export const ttlOf = (settings: ReturnType<typeof settingsOf>): Ttl => ({
  days: settings.events_ttl_days,
  exceptions: Object.entries(settings.events_ttl_days_by_name).map(([name, days]) => ({ name, days })),
});

/** The parameters that ask what the settings would remove. */
export const previewOf = (ttl: Ttl) => {
  const { events_ttl_days: days, events_ttl_days_by_name: byName } = settingsOf(ttl);
  return { preview: true, events_ttl_days: String(days), events_ttl_days_by_name: JSON.stringify(byName) };
};

export const removesSomething = ({ days, exceptions }: Ttl): boolean =>
  days !== null || exceptions.some((exception) => exception.days !== null);
