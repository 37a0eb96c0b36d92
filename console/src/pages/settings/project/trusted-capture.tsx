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
  const { save, isPending, error } = useProjectChange('Protection saved.');
  const isReadOnly = !can('project:write');

  return (
    <Section
      title="Trusted capture"
      description="The project token is public, so anyone can send events with it. Choose what needs a secret key as well, sent as a bearer token with the event."
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
            label="Protected person properties"
            description="For example plan or role. Press Enter to add one."
            maxTags={100}
            readOnly={isReadOnly}
            value={persons}
            onChange={setPersons}
            error={errorAt(error, 'protected_person_properties')}
          />
          <TagsInput
            label="Protected account properties"
            description="They apply to every type of account."
            maxTags={100}
            readOnly={isReadOnly}
            value={groups}
            onChange={setGroups}
            error={errorAt(error, 'protected_group_properties')}
          />
          <Switch
            label="Require a secret key to merge identified persons"
            description="Without a key, $merge_dangerously has no effect."
            disabled={isReadOnly}
            checked={merges}
            onChange={({ currentTarget }) => setMerges(currentTarget.checked)}
          />
          {!isReadOnly && (
            <Group justify="flex-end">
              <Button type="submit" loading={isPending}>
                Save protection
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Section>
  );
}
