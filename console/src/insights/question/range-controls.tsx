import { textOf } from '../../address/search';
import { DateRangePicker } from '../../ui/date-range-picker';
import { type EditorProps } from '../kind';
import { Choice } from '../../ui/choice';

const intervals = ['minute', 'hour', 'day', 'week', 'month'].map((value) => ({ value, label: `by ${value}` }));

/** The range of time, and the length of one point. */
export function RangeControls({ question, change, hasInterval }: EditorProps & { readonly hasInterval: boolean }) {
  return (
    <>
      <DateRangePicker
        value={{ date_from: textOf(question.date_from), date_to: textOf(question.date_to) }}
        onChange={({ date_from, date_to }) => change({ date_from, date_to })}
      />
      {hasInterval && (
        <Choice
          aria-label="Length of one point"
          w={120}
          data={intervals}
          value={textOf(question.interval) ?? 'day'}
          onChange={(interval) => change({ interval: interval === 'day' ? undefined : interval })}
        />
      )}
    </>
  );
}
