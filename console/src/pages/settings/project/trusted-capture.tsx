import { Button, Group, Stack, Switch, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { useOpenProject } from '../../../address/project-context';
import { errorAt, FormProblem } from '../../../ui/field-error';
import { Section } from '../shared/section';
import { useProjectChange } from '../shared/use-project-change';

const fields = ['protected_person_properties', 'protected_group_properties', 'protected_merges'];

/** Sets what the public token cannot do. */
export function TrustedCapture() {
  const { project, can } = useOpenProject();
  const [persons, setPersons] = useState(project.protected_person_properties);
  const [groups, setGroups] = useState(project.protected_group_properties);
  const [merges, setMerges] = useState(project.protected_merges);
  const { save, isPending, error } = useProjectChange('The protection is saved.');
  const isReadOnly = !can('project:write');

  return (
    <Section
      title="Trusted capture"
      description="The project token is public, so anyone can send events with it. Here is what only a secret key may do; a capture sends the key as bearer beside the token."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save({
            protected_person_properties: persons,
            protected_group_properties: groups,
            protected_merges: merges,
          });
        }}
      >
        <Stack>
          <FormProblem error={error} fields={fields} />
          <TagsInput
            label="Protected properties of persons"
            description="Such as a plan or a role. Enter adds one."
            maxTags={100}
            readOnly={isReadOnly}
            value={persons}
            onChange={setPersons}
            error={errorAt(error, 'protected_person_properties')}
          />
          <TagsInput
            label="Protected properties of accounts"
            description="Of accounts of any type."
            maxTags={100}
            readOnly={isReadOnly}
            value={groups}
            onChange={setGroups}
            error={errorAt(error, 'protected_group_properties')}
          />
          <Switch
            label="Only a secret key merges identified persons"
            description="Without a key, $merge_dangerously merges nothing."
            disabled={isReadOnly}
            checked={merges}
            onChange={({ currentTarget }) => setMerges(currentTarget.checked)}
          />
          {!isReadOnly && (
            <Group justify="flex-end">
              <Button type="submit" loading={isPending}>
                Save the protection
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Section>
  );
}
