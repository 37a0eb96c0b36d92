import { capital, nounOfIndex } from '../filters/account-words';
import { Select } from '../ui/select';
import { useActors } from './actors';

const persons = 'persons';

/** Chooses between persons and the accounts of a type; null: persons. */
export function ActorsSelect({
  label,
  onChange,
}: {
  readonly label: string;
  readonly onChange: (groupType: number | null) => void;
}) {
  const { groupType, types } = useActors();
  const known = types.map(({ group_type_index: index }) => index);
  const indexes = groupType === null || known.includes(groupType) ? known : [...known, groupType];
  return (
    <Select
      aria-label={label}
      maw={260}
      data={[
        { value: persons, label: 'Persons' },
        ...indexes.map((index) => ({ value: String(index), label: capital(nounOfIndex(types, index)[1]) })),
      ]}
      value={groupType === null ? persons : String(groupType)}
      allowDeselect={false}
      onChange={(chosen) => onChange(chosen === null || chosen === persons ? null : Number(chosen))}
    />
  );
}
