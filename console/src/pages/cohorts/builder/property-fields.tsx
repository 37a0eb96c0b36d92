import { MultiSelect } from '@mantine/core';
import { cohortChoices, useCohorts } from '../../../filters/cohorts';
import { type FilterLeaf } from '../../../filters/filter';
import { operatorOf, operators } from '../../../filters/operators';
import { PropertyPicker, ValueInput } from '../../../filters/pickers';
import { accountOf } from './criteria';
import { type FieldsProps } from './span-controls';
import { Select } from '../../../ui/select';

const ofPerson = { type: 'person' } as const;

/** The controls of a criterion about a property of the person, or of an account. */
export function PropertyFields({ criterion, onChange }: FieldsProps) {
  const index = accountOf(criterion);
  const owner = index === undefined ? ofPerson : ({ type: 'group', group_type_index: index } as const);
  const key = typeof criterion['key'] === 'string' ? criterion['key'] : '';
  const operator = operatorOf(typeof criterion['operator'] === 'string' ? criterion['operator'] : undefined);
  return (
    <>
      <PropertyPicker
        label="Property"
        owner={owner}
        flex="1 1 150px"
        w={180}
        value={key === '' ? null : key}
        onChange={(chosen) => onChange({ key: chosen ?? '', value: undefined })}
      />
      <Select
        size="sm"
        w={170}
        aria-label="Operator"
        data={operators.map(({ name, label }) => ({ value: name, label }))}
        value={operator.name}
        allowDeselect={false}
        onChange={(chosen) =>
          onChange({
            operator: chosen ?? 'exact',
            ...(operatorOf(chosen ?? undefined).takes === operator.takes ? {} : { value: undefined }),
          })
        }
      />
      <ValueInput
        owner={owner}
        propertyKey={key}
        operator={operator.name}
        value={criterion['value'] as FilterLeaf['value']}
        onChange={(value) => onChange({ value })}
      />
    </>
  );
}

interface CohortFieldsProps extends FieldsProps {
  /** The cohort that is being defined, which cannot be part of its own definition. */
  readonly ownId: number | null;
}

export function CohortFields({ criterion, onChange, ownId, refused }: CohortFieldsProps) {
  const cohorts = useCohorts();
  const { value } = criterion;
  const chosen = (Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]).map(String);
  return (
    <MultiSelect
      size="sm"
      flex="1 1 220px"
      maw={480}
      aria-label="Cohorts, any of them"
      placeholder={chosen.length === 0 ? 'Cohort' : undefined}
      searchable
      limit={100}
      error={refused === 'value'}
      data={cohortChoices(
        cohorts.filter(({ id }) => id !== ownId),
        chosen,
      )}
      value={chosen}
      onChange={(ids) => onChange({ value: ids.length > 1 ? ids.map(Number) : ids[0] && Number(ids[0]) })}
    />
  );
}
