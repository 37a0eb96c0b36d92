import { Group, NumberInput } from '@mantine/core';
import { textOf } from '../../address/search';
import { capital } from '../../filters/account-words';
import { useActors } from '../actors';
import { type EditorProps } from '../kind';
import { EditorPanel, EditorPart } from '../question/editor-panel';
import { readEntity, type Entity } from '../question/entities';
import { EntityRow } from '../question/entity-row';
import { useDraft } from '../question/use-draft';
import { Select } from '../../ui/select';

const pageview: Entity = { type: 'events', id: '$pageview' };

const beginnings = [
  { value: 'recurring', label: 'with each such event' },
  { value: 'first_time', label: 'with the first such event ever' },
  { value: 'first_ever_occurrence', label: 'with the first event ever of that name, if it passes the filters' },
];

export function RetentionEditor(props: EditorProps) {
  const { question, change } = props;
  const [, many] = useActors().noun;
  const [occurrences, setOccurrences] = useDraft<string | number>(
    typeof question.minimum_occurrences === 'number' ? question.minimum_occurrences : 1,
    (value) => {
      if (typeof value === 'number' && value >= 1) change({ minimum_occurrences: value === 1 ? undefined : value });
    },
  );
  return (
    <EditorPanel {...props}>
      <EditorPart title={`${capital(many)} begin with`}>
        <EntityRow
          entity={readEntity(question.target_entity) ?? pageview}
          index={0}
          noun="Event"
          hasMath={false}
          onChange={(entity) => change({ target_entity: entity })}
        />
        <Select
          aria-label="Which events begin"
          maw={430}
          data={beginnings}
          value={(textOf(question.retention_type) ?? 'recurring').replace(/^retention_/, '')}
          allowDeselect={false}
          onChange={(value) => change({ retention_type: value === 'recurring' ? undefined : (value ?? undefined) })}
        />
      </EditorPart>
      <EditorPart title="And come back with">
        <EntityRow
          entity={readEntity(question.returning_entity) ?? pageview}
          index={1}
          noun="Event"
          hasMath={false}
          onChange={(entity) => change({ returning_entity: entity })}
        />
        <Group gap="xs">
          <NumberInput
            aria-label="Least number of such events in an interval"
            w={270}
            prefix="at least "
            suffix={occurrences === 1 ? ' time in an interval' : ' times in an interval'}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            clampBehavior="blur"
            value={occurrences}
            onChange={setOccurrences}
          />
        </Group>
      </EditorPart>
    </EditorPanel>
  );
}
