import { Alert, Button, Checkbox, Code, Group, Modal, Skeleton, Stack, TagsInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../../api/client';
import { type Schemas } from '../../../api/types';
import { useOpenProject, useProject } from '../../../address/project-context';
import { Choice } from '../../../ui/choice';
import { errorAt, FormProblem } from '../../../ui/field-error';
import { formatTime } from '../../../ui/format';
import { ProblemAlert } from '../../../ui/problem-alert';
import { useChange } from '../../../ui/use-change';

const path = '/api/projects/{project_id}/dashboards/{id}/schedules';

type Schedule = Schemas['DashboardScheduleDto'];
type Weekday = NonNullable<Schedule['weekday']>;

const weekdays: readonly Weekday[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

const nameOf = (weekday: Weekday): string => weekday[0]?.toUpperCase() + weekday.slice(1);

const days = [
  { value: '', label: 'Every day' },
  ...weekdays.map((weekday) => ({ value: weekday, label: `Every ${nameOf(weekday)}` })),
];

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: clock(hour) }));

interface ScheduleDialogProps {
  readonly dashboardId: number;
  readonly onClose: () => void;
}

/** Sends the dashboard's numbers each day or week, and shows what became of that. */
export function ScheduleDialog({ dashboardId, onClose }: ScheduleDialogProps) {
  const project = useProject();
  const params = { path: { project_id: String(project.id), id: dashboardId } };
  // What became of it changes without the user.
  const schedules = useQuery({ ...answer(path, params), refetchOnMount: 'always' });
  return (
    <Modal opened onClose={onClose} title="Send on a schedule" size="lg">
      <Stack>
        <Text size="sm">
          A message has the number of each tile with the saved filters, its change if the insight compares, and a link
          to the dashboard. It names no persons and no breakdown values.
        </Text>
        <NewSchedule dashboardId={dashboardId} />
        {schedules.error && <ProblemAlert error={schedules.error} />}
        {!schedules.data && !schedules.error && <Skeleton h={40} />}
        {schedules.data?.results.map((schedule) => (
          <ScheduleLine key={schedule.id} schedule={schedule} dashboardId={dashboardId} />
        ))}
        {schedules.data?.results.length === 0 && (
          <Text size="sm" c="dimmed">
            This dashboard is not sent to anyone.
          </Text>
        )}
      </Stack>
    </Modal>
  );
}

function NewSchedule({ dashboardId }: { readonly dashboardId: number }) {
  const { project, can } = useOpenProject();
  const { data: organization } = useQuery({
    ...answer('/api/organizations/@current'),
    enabled: can('project:read'),
    staleTime: 300_000,
  });
  const hasMail = organization?.email_service_available !== false;
  const [addresses, setAddresses] = useState<string[]>([]);
  const [webhooks, setWebhooks] = useState(false);
  const [weekday, setWeekday] = useState('monday');
  const [hour, setHour] = useState('9');
  const params = { path: { project_id: String(project.id), id: dashboardId } };
  const body = { addresses, webhooks, weekday: (weekday || null) as Weekday | null, hour: Number(hour) };
  const make = useChange(() => api.POST(path, { params, body }), {
    refreshes: [path],
    hasForm: true,
    message: 'The dashboard is scheduled.',
    onDone: () => {
      setAddresses([]);
      setWebhooks(false);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <Stack gap="sm">
        <FormProblem error={make.error} fields={['addresses']} />
        {hasMail ? (
          <TagsInput
            label="E-mail to"
            description="They need no account"
            placeholder={addresses.length === 0 ? 'ada@example.com' : undefined}
            inputMode="email"
            maxTags={20}
            splitChars={[',', ';', ' ']}
            acceptValueOnBlur
            disabled={project.dashboard_links_forbidden}
            value={addresses}
            error={errorAt(make.error, 'addresses')}
            onChange={setAddresses}
          />
        ) : (
          <Text size="sm" c="dimmed">
            No e-mail: this installation has no SMTP server. Its operator sets <Code>SMTP_URL</Code> and{' '}
            <Code>MAIL_FROM</Code>.
          </Text>
        )}
        {project.dashboard_links_forbidden && (
          <Alert color="gray" title="This project shows no dashboards without an account">
            <Text size="sm">So no e-mail is sent. An admin allows it in the settings.</Text>
          </Alert>
        )}
        <Checkbox
          label="Send it to webhooks"
          description="To those of the project that take scheduled dashboards"
          checked={webhooks}
          onChange={({ currentTarget }) => setWebhooks(currentTarget.checked)}
        />
        <Group align="center" gap="xs">
          <Choice aria-label="Day" w={170} data={days} value={weekday} onChange={setWeekday} />
          <Text size="sm">at</Text>
          <Choice aria-label="Hour" w={100} data={hours} value={hour} onChange={setHour} />
          <Text size="sm" c="dimmed" flex={1}>
            {project.timezone}
          </Text>
          <Button type="submit" loading={make.isPending} disabled={addresses.length === 0 && !webhooks}>
            Schedule
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const whenOf = ({ weekday, hour }: Schedule): string =>
  `${weekday === null ? 'Every day' : `Every ${nameOf(weekday)}`} at ${clock(hour)}`;

function ScheduleLine({ schedule, dashboardId }: { readonly schedule: Schedule; readonly dashboardId: number }) {
  const project = useProject();
  const { id, addresses, webhooks, next_at: next, last_sent_at: last, waiting, problem } = schedule;
  const params = { path: { project_id: String(project.id), id: dashboardId, schedule_id: id } };
  const send = useChange(() => api.POST(`${path}/{schedule_id}/send`, { params }), {
    refreshes: [path],
    message: 'The dashboard is being sent.',
  });
  const remove = useChange(() => api.DELETE(`${path}/{schedule_id}`, { params }), {
    refreshes: [path],
    message: 'The dashboard is no longer sent.',
  });
  const at = (moment: string): string => formatTime(moment, project.timezone);
  const times = [next && `Next ${at(next)}`, last && `last sent ${at(last)}`].filter(Boolean).join(', ');
  return (
    <Group justify="flex-end" gap={0}>
      <div style={{ minWidth: 0, flex: '1 1 17rem' }}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <b>{whenOf(schedule)}</b> to {[...addresses, ...(webhooks ? ['webhooks'] : [])].join(', ')}
        </Text>
        <Text size="xs" c="dimmed">
          {times}
        </Text>
        {problem && (
          <Text size="xs" c="var(--mantine-color-error)" style={{ overflowWrap: 'anywhere' }}>
            {problem.detail}
            {waiting > 0 && '; it is tried again'} ({at(problem.at)})
          </Text>
        )}
      </div>
      {next && (
        <Button
          variant="subtle"
          flex="none"
          aria-label={`Send now: ${whenOf(schedule)}`}
          loading={send.isPending}
          onClick={() => send.mutate()}
        >
          Send now
        </Button>
      )}
      <Button
        variant="subtle"
        flex="none"
        color="red"
        aria-label={`Stop: ${whenOf(schedule)}`}
        loading={remove.isPending}
        onClick={() => remove.mutate()}
      >
        Stop
      </Button>
    </Group>
  );
}
