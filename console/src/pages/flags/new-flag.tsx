import { Switch } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { useProjectId } from '../../address/project-context';
import { Page } from '../../ui/page';
import { useChange } from '../../ui/use-change';
import { FlagForm, type WrittenFlag } from './definition/flag-form';

/** The editor with nothing in it. */
export function NewFlag() {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const [active, setActive] = useState(true);
  const create = useChange(
    (written: WrittenFlag) =>
      api.POST('/api/projects/{project_id}/feature_flags', {
        params: { path: { project_id: projectId } },
        body: { ...written, active },
      }),
    {
      refreshes: ['/api/projects/{project_id}/feature_flags'],
      hasForm: true,
      message: 'Flag created. It takes effect within a second.',
      onDone: ({ id }) =>
        navigate({
          to: '/p/$projectId/flags/$flagId',
          params: { projectId, flagId: String(id) },
          ignoreBlocker: true,
        }),
    },
  );
  return (
    <Page title="New flag" description="See how many get it as you type.">
      <FlagForm
        flag={null}
        saveLabel="Create flag"
        isSaving={create.isPending}
        saveError={create.error}
        onSave={create.mutate}
      >
        <Switch
          label="On from the start"
          description="An inactive flag can be turned on later"
          checked={active}
          onChange={({ currentTarget }) => setActive(currentTarget.checked)}
        />
      </FlagForm>
    </Page>
  );
}
