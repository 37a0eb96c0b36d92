import { Select } from '../../../ui/select';

/** Seconds, as the interface takes them. */
const day = 86_400;

const labels: Readonly<Record<number, string>> = {
  0: 'No, end it now',
  3600: 'For 1 hour',
  [day]: 'For 1 day',
  [7 * day]: 'For 7 days',
  [30 * day]: 'For 30 days',
};

export const durations = { none: 0, hour: 3600, day, week: 7 * day, month: 30 * day } as const;

interface DurationChoiceProps {
  readonly label: string;
  readonly description: string;
  readonly choices: readonly number[];
  readonly value: number;
  readonly onChange: (seconds: number) => void;
}

/** How long a secret that is replaced goes on working. */
export function DurationChoice({ choices, value, onChange, ...texts }: DurationChoiceProps) {
  return (
    <Select
      {...texts}
      allowDeselect={false}
      data={choices.map((seconds) => ({ value: String(seconds), label: labels[seconds] ?? `For ${seconds} s` }))}
      value={String(value)}
      onChange={(seconds) => seconds !== null && onChange(Number(seconds))}
    />
  );
}
