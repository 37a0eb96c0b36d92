import { useActors } from '../../../insights/actors';
import { accountOf, countOperatorOf, countOperators, kindOfCriterion } from './criteria';
import { EventOrActionPicker } from './event-picker';
import { CountInput, LengthInput, SpanInput, Words, type FieldsProps } from './span-controls';
import { Select } from '../../../ui/select';

/** The controls of a criterion about events, in the order of its sentence. */
export function EventFields(fields: FieldsProps) {
  const { criterion, onChange, refused } = fields;
  const event = (
    <EventOrActionPicker
      label="Event"
      value={{ key: criterion['key'], type: criterion['event_type'] }}
      hasError={refused === 'key'}
      onChange={({ key, type }) => onChange({ key, event_type: type })}
    />
  );
  switch (kindOfCriterion(criterion)) {
    case 'performed_event_multiple':
      return (
        <>
          {event}
          <Times {...fields} />
          <SpanInput {...fields} />
        </>
      );
    case 'performed_event_sequence':
      return (
        <>
          {event}
          <Words>and then</Words>
          <EventOrActionPicker
            label="Event that follows"
            value={{ key: criterion['seq_event'], type: criterion['seq_event_type'] }}
            hasError={refused === 'seq_event'}
            onChange={({ key, type }) => onChange({ seq_event: key, seq_event_type: type })}
          />
          <Words>within</Words>
          <LengthInput {...fields} name="seq_time" label="Time between the events" />
          <Words>, both</Words>
          <SpanInput {...fields} />
        </>
      );
    case 'performed_event_regularly':
      return (
        <>
          {event}
          <Times {...fields} />
          <Words>in at least</Words>
          <CountInput {...fields} field="min_periods" label="Periods in which it happened" max={1000} />
          <Words>of the last</Words>
          <CountInput {...fields} field="total_periods" label="Periods in all" max={1000} />
          <Words>periods of</Words>
          <LengthInput {...fields} name="time" label="Length of a period" />
        </>
      );
    case 'stopped_performing_event':
      return (
        <>
          {event}
          <Words>: performed it</Words>
          <SpanInput {...fields} />
          <Words>but not in the last</Words>
          <LengthInput {...fields} name="seq_time" label="Time without the event" />
        </>
      );
    case 'restarted_performing_event':
      return (
        <>
          {event}
          <Words>: earlier, then not</Words>
          <SpanInput {...fields} />
          <Words>until the last</Words>
          <LengthInput {...fields} name="seq_time" label="Time of the new beginning" />
          <Words>, then again</Words>
        </>
      );
    default:
      return (
        <>
          {event}
          <SpanInput {...fields} />
        </>
      );
  }
}

/** How often it happened; of what an account did also by how many persons. */
function Times(fields: FieldsProps) {
  const { criterion, onChange, refused } = fields;
  const isOfAccount = useActors().groupType !== null || accountOf(criterion) !== undefined;
  const [time, person] =
    criterion['operator_value'] === 1 ? ['time', 'person who did it'] : ['times', 'persons who did it'];
  return (
    <>
      <Select
        size="sm"
        w={116}
        aria-label="How the count is compared"
        allowDeselect={false}
        data={[...countOperators]}
        error={refused === 'operator'}
        value={countOperatorOf(criterion)}
        onChange={(operator) => onChange({ operator: operator ?? 'eq' })}
      />
      <CountInput {...fields} field="operator_value" label="Count" max={1_000_000_000} />
      {isOfAccount ? (
        <Select
          size="sm"
          w={180}
          aria-label="What is counted"
          allowDeselect={false}
          data={[
            { value: 'events', label: time },
            { value: 'persons', label: person },
          ]}
          value={criterion['count_of'] === 'persons' ? 'persons' : 'events'}
          onChange={(chosen) => onChange({ count_of: chosen === 'persons' ? chosen : undefined })}
        />
      ) : (
        <Words>{time}</Words>
      )}
    </>
  );
}
