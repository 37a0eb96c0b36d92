import { createContext, use } from 'react';
import { Select } from '../ui/select';

/** True if the question can ask for membership at the time of each event: trends can, other questions refuse it. */
export const AtEventContext = createContext(false);

const times = [
  { value: 'now', label: 'now' },
  { value: 'event', label: 'at the event’s time' },
];

interface Member {
  readonly at?: 'event' | 'now' | undefined;
}

/** When a person must be in a cohort. A question that cannot ask for another time than now shows it only where it was set elsewhere. */
export function MembershipTime<M extends Member>({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: M;
  readonly onChange: (value: M) => void;
}) {
  const canAsk = use(AtEventContext);
  if (!canAsk && value.at !== 'event') return null;
  const { at = 'now', ...rest } = value;
  return (
    <Select
      size="sm"
      w={190}
      aria-label={label}
      data={times}
      value={at}
      allowDeselect={false}
      onChange={(time) => onChange(time === 'event' ? { ...value, at: time } : (rest as M))}
    />
  );
}
