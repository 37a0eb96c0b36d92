import { Button, Group, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useOpenProject } from '../../../address/project-context';
import { RetentionForm } from '../expiry/expiry-form';
import { errorAt, FormProblem } from '../../../ui/field-error';
import { Section } from '../shared/section';
import { useProjectChange } from '../shared/use-project-change';
import { DashboardLinks } from './dashboard-links';
import { DeleteProject } from './delete-project';
import { ProjectToken } from './project-token';
import { TrustedCapture } from './trusted-capture';
import { Select } from '../../../ui/select';

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const timeZones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

const fields = ['name', 'timezone', 'week_start_day', 'person_display_name_properties'];

/** Edits the settings on which every answer of the project depends. */
export function ProjectForm() {
  const { project, can } = useOpenProject();
  const [name, setName] = useState(project.name);
  const [timezone, setTimezone] = useState(project.timezone);
  const [weekStart, setWeekStart] = useState(project.week_start_day);
  const [nameProperties, setNameProperties] = useState(project.person_display_name_properties);
  const { save, isPending, error } = useProjectChange('Project saved.');
  const isReadOnly = !can('project:write');

  return (
    <>
      <Section title="General">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            save({
              name,
              timezone,
              week_start_day: weekStart,
              person_display_name_properties: nameProperties,
            });
          }}
        >
          <Stack>
            <FormProblem error={error} fields={fields} />
            <TextInput
              label="Name"
              required
              maxLength={200}
              readOnly={isReadOnly}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              error={errorAt(error, 'name')}
            />
            <Group grow preventGrowOverflow={false} align="flex-start">
              <Select
                label="Time zone"
                description="Days, weeks and months start in this zone."
                searchable
                allowDeselect={false}
                readOnly={isReadOnly}
                data={timeZones.includes(timezone) ? timeZones : [timezone, ...timeZones]}
                value={timezone}
                onChange={(zone) => zone !== null && setTimezone(zone)}
                error={errorAt(error, 'timezone')}
                limit={200}
                miw={220}
              />
              <Select
                label="First day of the week"
                description="For insights by week."
                allowDeselect={false}
                readOnly={isReadOnly}
                data={days.map((label, day) => ({ value: String(day), label }))}
                value={String(weekStart)}
                onChange={(day) => day !== null && setWeekStart(Number(day))}
                error={errorAt(error, 'week_start_day')}
                miw={220}
              />
            </Group>
            <TagsInput
              label="Properties that name a person"
              description="Lists show the first of these that is not empty. Press Enter to add one."
              maxTags={20}
              readOnly={isReadOnly}
              value={nameProperties}
              onChange={setNameProperties}
              error={errorAt(error, 'person_display_name_properties')}
            />
            {isReadOnly ? (
              <Text size="sm" c="dimmed">
                Only project admins can change this.
              </Text>
            ) : (
              <Group justify="flex-end">
                <Button type="submit" loading={isPending}>
                  Save
                </Button>
              </Group>
            )}
          </Stack>
        </form>
      </Section>
      <RetentionForm />
      <ProjectToken />
      <TrustedCapture />
      <DashboardLinks />
      <DeleteProject />
    </>
  );
}
