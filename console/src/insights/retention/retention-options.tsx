import { NumberInput, SegmentedControl } from '@mantine/core';
import { useProject } from '../../address/project-context';
import { textOf } from '../../address/search';
import { capital, oneOf } from '../../filters/account-words';
import { useActors } from '../actors';
import { type EditorProps } from '../kind';
import { useDraft } from '../question/use-draft';
import { isOfCounts, periodOf, periods } from './retention';
import { Choice } from '../../ui/choice';
import { DayInput } from '../../ui/day-input';
import { todayIn } from '../../ui/format';

const ends = [
  { value: 'now', label: 'until now' },
  { value: '-1d', label: 'until yesterday' },
  { value: '-1wEnd', label: 'until last week' },
  { value: '-1mEnd', label: 'until last month' },
  { value: 'date', label: 'until a date' },
];

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}/.test(text);

/** The intervals, and the way in which a cell is written. */
export function RetentionOptions({ question, change }: EditorProps) {
  const project = useProject();
  const { noun } = useActors();
  const [count, setCount] = useDraft<string | number>(
    typeof question.total_intervals === 'number' ? question.total_intervals : 11,
    (value) => {
      if (typeof value === 'number' && value >= 1) change({ total_intervals: value === 11 ? undefined : value });
    },
  );
  const period = periodOf(question);
  const end = textOf(question.date_to) ?? 'now';
  const known = ends.some(({ value }) => value === end) ? ends : [...ends, { value: end, label: `until ${end}` }];
  return (
    <>
      <NumberInput
        aria-label="Number of intervals"
        w={90}
        min={1}
        max={100}
        allowDecimal={false}
        clampBehavior="blur"
        value={count}
        onChange={setCount}
      />
      <Choice
        aria-label="Length of an interval"
        w={115}
        data={periods.map((value) => ({ value, label: `${value.toLowerCase()}s` }))}
        value={period}
        onChange={(value) => change({ period: value === 'Day' ? undefined : value })}
      />
      <Choice
        aria-label="End of the last interval"
        w={165}
        data={isDate(end) ? ends : known}
        value={isDate(end) ? 'date' : end}
        onChange={(value) => {
          const date = todayIn(project.timezone);
          change({ date_to: value === 'now' ? undefined : value === 'date' ? date : value });
        }}
      />
      {isDate(end) && (
        <DayInput
          aria-label="Date of the last interval"
          value={end.slice(0, 10)}
          onChange={(day) => {
            if (day !== null) change({ date_to: day }, { replace: true });
          }}
        />
      )}
      <Choice
        aria-label={`When ${oneOf(noun)} counts as back`}
        w={220}
        data={[
          { value: 'in', label: 'back in the interval' },
          { value: 'later', label: 'back in the interval or later' },
        ]}
        value={question.cumulative === true ? 'later' : 'in'}
        onChange={(value) => change({ cumulative: value === 'later' || undefined })}
      />
      <Choice
        aria-label="Mean of the rows"
        w={170}
        data={[
          { value: 'simple', label: 'Mean of the rows' },
          { value: 'weighted', label: 'Weighted mean' },
          { value: 'none', label: 'No mean' },
        ]}
        value={textOf(question.mean_retention_calculation) ?? 'simple'}
        onChange={(value) => change({ mean_retention_calculation: value === 'simple' ? undefined : value })}
      />
      <SegmentedControl
        aria-label="What the cells show"
        data={[
          { value: 'percent', label: '%' },
          { value: 'count', label: capital(noun[1]) },
        ]}
        value={isOfCounts(question) ? 'count' : 'percent'}
        onChange={(value) => change({ retention_reference: value === 'count' ? value : undefined })}
      />
    </>
  );
}
