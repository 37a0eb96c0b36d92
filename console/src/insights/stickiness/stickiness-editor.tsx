import { Group, NumberInput } from '@mantine/core';
import { useActors } from '../actors';
import { type EditorProps } from '../kind';
import { EditorPanel, EditorPart } from '../question/editor-panel';
import { EntitiesEditor } from '../question/entities-editor';
import { entityFields, readEntities } from '../question/entities';
import { Select } from '../../ui/select';

interface Criteria {
  readonly operator: string;
  readonly value: number;
}

const criteriaOf = (value: unknown): Criteria => {
  const { operator, value: count } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Criteria>;
  return { operator: operator ?? 'gte', value: count ?? 1 };
};

export function StickinessEditor(props: EditorProps) {
  const { question, change } = props;
  const [one] = useActors().noun;
  const criteria = criteriaOf(question.stickiness_criteria);
  const set = (changed: Criteria): void =>
    change({ stickiness_criteria: changed.operator === 'gte' && changed.value === 1 ? undefined : changed });
  return (
    <EditorPanel {...props}>
      <EditorPart title="Series">
        <EntitiesEditor
          entities={readEntities(question)}
          noun="Series"
          onChange={(entities) => change(entityFields(entities))}
        />
      </EditorPart>
      <EditorPart title={`An interval counts for each ${one} with`}>
        <Group gap="xs">
          <Select
            aria-label="Comparison of the number of events"
            w={120}
            data={[
              { value: 'gte', label: 'at least' },
              { value: 'lte', label: 'at most' },
              { value: 'exact', label: 'exactly' },
            ]}
            value={criteria.operator}
            allowDeselect={false}
            onChange={(operator) => set({ ...criteria, operator: operator ?? 'gte' })}
          />
          <NumberInput
            aria-label="Number of events"
            w={130}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            clampBehavior="blur"
            suffix={criteria.value === 1 ? ' event' : ' events'}
            value={criteria.value}
            onChange={(value) => {
              if (typeof value === 'number' && value >= 1) set({ ...criteria, value });
            }}
          />
        </Group>
      </EditorPart>
    </EditorPanel>
  );
}
