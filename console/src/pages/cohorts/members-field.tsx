import { Input } from '@mantine/core';
import { useActors } from '../../insights/actors';
import { ActorsSelect } from '../../insights/actors-select';

/** Chooses who can be a member of a new cohort. A project without accounts has no choice. */
export function MembersField({ onChange }: { readonly onChange: (groupType: number | null) => void }) {
  if (useActors().types.length === 0) return null;
  return (
    <Input.Wrapper label="Members" labelElement="div">
      <ActorsSelect label="Members" onChange={onChange} />
    </Input.Wrapper>
  );
}
