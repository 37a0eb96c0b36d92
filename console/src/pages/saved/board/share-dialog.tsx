import { Alert, Button, Group, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../../api/client';
import { type Schemas } from '../../../api/types';
import { useProject } from '../../../address/project-context';
import { Choice } from '../../../ui/choice';
import { copyText } from '../../../ui/copy';
import { formatTime } from '../../../ui/format';
import { errorAt, FormProblem } from '../../../ui/field-error';
import { ProblemAlert } from '../../../ui/problem-alert';
import { useChange } from '../../../ui/use-change';

const path = '/api/projects/{project_id}/dashboards/{id}/links';

const lifetimes = [7, 30, 90, 365].map((days) => ({ value: String(days), label: `${days} days` }));

interface ShareDialogProps {
  readonly dashboardId: number;
  readonly onClose: () => void;
}

/** Makes and revokes the links that show the dashboard to people without an account. */
export function ShareDialog({ dashboardId, onClose }: ShareDialogProps) {
  const project = useProject();
  const params = { path: { project_id: String(project.id), id: dashboardId } };
  const [days, setDays] = useState('30');
  const [label, setLabel] = useState('');
  const [made, setMade] = useState<string | null>(null);
  const links = useQuery(answer(path, params));
  const make = useChange(() => api.POST(path, { params, body: { expires_in_days: Number(days), label } }), {
    refreshes: [path],
    hasForm: true,
    onDone: ({ link }) => {
      setMade(link);
      setLabel('');
    },
  });
  return (
    <Modal opened onClose={onClose} title="Share by a link" size="lg">
      <Stack>
        <Text size="sm">
          Whoever has the link sees the numbers of this dashboard with its saved filters, and values of breakdowns,
          without an account. Persons behind the numbers and tables in SQL are not shown.
        </Text>
        {project.dashboard_links_forbidden ? (
          <Alert color="gray" title="This project forbids links">
            <Text size="sm">None can be made, and those below show nothing. An admin allows them in the settings.</Text>
          </Alert>
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              make.mutate();
            }}
          >
            <FormProblem error={make.error} fields={['label']} />
            <Group align="flex-end" gap="xs">
              <TextInput
                label="For whom"
                placeholder="Board meeting"
                flex="1 1 180px"
                maxLength={200}
                value={label}
                error={errorAt(make.error, 'label')}
                onChange={({ currentTarget }) => setLabel(currentTarget.value)}
              />
              <div>
                <Text size="sm" fw={600} mb={2} component="label" id="lifetime">
                  It works for
                </Text>
                <Choice aria-label="It works for" w={120} data={lifetimes} value={days} onChange={setDays} />
              </div>
              <Button type="submit" loading={make.isPending}>
                Create link
              </Button>
            </Group>
          </form>
        )}
        {made !== null && (
          <Alert color="kohort" title="Copy it now: it is shown only once">
            <Group gap="xs" wrap="nowrap">
              <TextInput
                aria-label="Link"
                readOnly
                flex={1}
                value={made}
                onFocus={({ currentTarget }) => currentTarget.select()}
              />
              <Button
                variant="default"
                leftSection={<IconCopy size={16} aria-hidden />}
                onClick={() => copyText(made, 'Link')}
              >
                Copy
              </Button>
            </Group>
          </Alert>
        )}
        {links.error && <ProblemAlert error={links.error} />}
        {!links.data && !links.error && <Skeleton h={40} />}
        {links.data?.results.map((link) => (
          <LinkLine key={link.id} link={link} dashboardId={dashboardId} onRevoked={() => setMade(null)} />
        ))}
        {links.data?.results.length === 0 && (
          <Text size="sm" c="dimmed">
            No link shows this dashboard.
          </Text>
        )}
      </Stack>
    </Modal>
  );
}

interface LinkLineProps {
  readonly link: Schemas['DashboardLinkDto'];
  readonly dashboardId: number;
  readonly onRevoked: () => void;
}

function LinkLine({
  link: { id, label, works, created_by: by, created_at, expires_at },
  dashboardId,
  onRevoked,
}: LinkLineProps) {
  const project = useProject();
  const revoke = useChange(
    () =>
      api.DELETE(`${path}/{link_id}`, {
        params: { path: { project_id: String(project.id), id: dashboardId, link_id: id } },
      }),
    { refreshes: [path], message: 'The link shows nothing any more.', onDone: onRevoked },
  );
  const maker = by && ([by.first_name, by.last_name].filter(Boolean).join(' ') || by.email);
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <div style={{ minWidth: 0, flex: 1 }}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {label !== '' && <b>{label}: </b>}
          {works
            ? `${label === '' ? 'Works' : 'works'} until ${formatTime(expires_at, project.timezone)}`
            : `${label === '' ? 'Does' : 'does'} not work`}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          Made {formatTime(created_at, project.timezone)}
          {maker ? ` by ${maker}` : ''}
        </Text>
      </div>
      <Button
        variant="subtle"
        flex="none"
        color="red"
        aria-label={label === '' ? undefined : `Revoke the link for ${label}`}
        loading={revoke.isPending}
        onClick={() => revoke.mutate()}
      >
        Revoke
      </Button>
    </Group>
  );
}
