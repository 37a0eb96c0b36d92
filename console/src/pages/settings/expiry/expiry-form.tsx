import { Button, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer } from '../../../api/client';
import { useOpenProject } from '../../../address/project-context';
import { AskFirst } from '../../../ui/ask-first';
import { formatCount } from '../../../ui/format';
import { errorAt, FormProblem } from '../../../ui/field-error';
import { Section } from '../shared/section';
import { useProjectChange } from '../shared/use-project-change';
import { DaysInput } from './days-input';
import { Exceptions } from './exceptions';
import { ExpiryPreview } from './expiry-preview';
import { previewOf, removesSomething, settingsOf, expiryOf, type Expiry } from './expiry';

/** How long events are kept, with what that would remove before it is saved. */
export function RetentionForm() {
  const { project, can } = useOpenProject();
  const [expiry, setExpiry] = useState<Expiry>(() => expiryOf(project));
  const [isAsked, setIsAsked] = useState(false);
  const { save, isPending, error } = useProjectChange('Duration saved.');
  const isReadOnly = !can('project:write');
  const asked = previewOf(expiry);
  const [query] = useDebouncedValue(asked, 400);
  const { data: answered, error: previewError } = useQuery({
    ...answer('/api/projects/{project_id}/retention', { path: { project_id: String(project.id) }, query }),
    enabled: can('event:read') && removesSomething(expiry),
    placeholderData: keepPreviousData,
  });
  const data = answered && 'total' in answered ? answered : undefined;
  // The answer for an earlier state of the form says nothing about this one.
  const isCurrent = data !== undefined && JSON.stringify(query) === JSON.stringify(asked);
  const total = isCurrent && removesSomething(expiry) ? data.total : null;
  const saveNow = (): void => {
    setIsAsked(false);
    save(settingsOf(expiry));
  };
  const fields = ['events_ttl_days', ...expiry.exceptions.map(({ name }) => `events_ttl_days_by_name.${name}`)];

  return (
    <Section
      title="How long events are kept"
      description="Once a week, older events are permanently removed from PostgreSQL and ClickHouse. Persons stay, as do events that arrived in the last day."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (removesSomething(expiry) && total !== 0) setIsAsked(true);
          else saveNow();
        }}
      >
        <Stack>
          <FormProblem error={error} fields={fields} />
          <DaysInput
            label="Keep events"
            description="Empty means forever."
            value={expiry.days}
            onChange={(days) => setExpiry({ ...expiry, days })}
            isReadOnly={isReadOnly}
            error={errorAt(error, 'events_ttl_days')}
          />
          <Exceptions
            exceptions={expiry.exceptions}
            onChange={(exceptions) => setExpiry({ ...expiry, exceptions })}
            isReadOnly={isReadOnly}
            error={error}
          />
          {removesSomething(expiry) && (
            <ExpiryPreview preview={data} error={previewError} timezone={project.timezone} />
          )}
          {isReadOnly ? (
            <Text size="sm" c="dimmed">
              Only project admins can change this.
            </Text>
          ) : (
            <Group justify="flex-end">
              <Button type="submit" variant="default" loading={isPending}>
                Save duration
              </Button>
            </Group>
          )}
        </Stack>
      </form>
      <AskFirst
        title="Remove old events?"
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        confirm="Save and remove them"
        isPending={isPending}
        onConfirm={saveNow}
      >
        {total === null
          ? 'The next weekly run removes the events that are older. They cannot be restored.'
          : `The next weekly run removes ${formatCount(total, 'event')}. They cannot be restored.`}
      </AskFirst>
    </Section>
  );
}
