import { Paper, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sendJson } from '../../../api/client';
import { type Cohort } from '../../../api/types';
import { useProjectId } from '../../../address/project-context';
import { Page } from '../../../ui/page';
import { DefinitionBuilder } from './definition-builder';
import { NameFields } from '../name-fields';
import { useCohortChange } from '../requests';

/** The builder with nothing in it. */
export function NewCohort() {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [naming, setNaming] = useState({ name: '', description: '' });
  const create = useCohortChange(
    projectId,
    (filters: unknown) =>
      sendJson<Cohort>('POST', `/api/projects/${projectId}/cohorts`, {
        name: naming.name.trim(),
        description: naming.description,
        filters,
      }),
    ({ id }) =>
      void navigate({
        to: '/p/$projectId/cohorts/$cohortId',
        params: { projectId, cohortId: String(id) },
        search: { tab: 'members' },
        ignoreBlocker: true,
      }),
  );
  return (
    <Page title="New cohort" description="Its members are calculated from the definition, again and again.">
      <Paper withBorder p="sm">
        <Stack gap="sm">
          <NameFields value={naming} onChange={setNaming} />
        </Stack>
      </Paper>
      <DefinitionBuilder
        stored={null}
        ownId={null}
        saveLabel="Create cohort"
        canSave={naming.name.trim() !== ''}
        isSaving={create.isPending}
        saveError={create.error}
        onSave={create.mutate}
      />
    </Page>
  );
}
