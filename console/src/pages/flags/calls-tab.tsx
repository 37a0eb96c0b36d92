import { Code, Paper, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { list } from '../../api/client';
import { type EventRow } from '../../api/types';
import { useProject } from '../../address/project-context';
import { EmptyState } from '../../ui/empty-state';
import { EndlessTable, type EndlessColumn } from '../../ui/endless-table';
import { formatTime } from '../../ui/format';
import { valueText } from '../../ui/value';
import { type FlagProps } from './flag';

const uuidOf = ({ uuid }: EventRow): string => uuid;
const idOf = ({ distinct_id: id }: EventRow): string => id;
const responseOf = ({ properties }: EventRow): string => valueText(properties['$feature_flag_response']);

const columnsIn = (timezone: string): readonly EndlessColumn<EventRow>[] => [
  { id: 'distinct_id', label: 'Distinct id', isFixed: true, width: 260, phoneWidth: 130, render: idOf, titleOf: idOf },
  {
    id: 'response',
    label: 'Got',
    isDefault: true,
    isForPhone: true,
    width: 160,
    phoneWidth: 80,
    render: responseOf,
    titleOf: responseOf,
  },
  {
    id: 'timestamp',
    label: 'Time',
    isDefault: true,
    isForPhone: true,
    isNumber: true,
    width: 200,
    phoneWidth: 150,
    render: ({ timestamp }) => formatTime(timestamp, timezone, { second: '2-digit' }),
    titleOf: ({ timestamp }) => timestamp,
  },
  {
    id: 'lib',
    label: 'SDK',
    isDefault: true,
    width: 160,
    render: ({ properties }) => valueText(properties['$lib']),
  },
];

/** The events by which SDKs say that code asked for the flag, and what it got. */
export function CallsTab({ projectId, flag }: FlagProps) {
  const { timezone, api_token: token } = useProject();
  const columns = useMemo(() => columnsIn(timezone), [timezone]);
  const properties = JSON.stringify([{ type: 'event', key: '$feature_flag', operator: 'exact', value: [flag.key] }]);
  return (
    <EndlessTable
      list={list('/api/projects/{project_id}/events', {
        path: { project_id: projectId },
        query: { event: '$feature_flag_called', properties },
      })}
      columns={columns}
      table="flag-calls"
      noun={['call', 'calls']}
      idOf={uuidOf}
      nameOf={idOf}
      linkOf={({ person_id: person }) => (person === null ? undefined : `/p/${projectId}/persons/${person}?tab=flags`)}
      height="480px"
      empty={
        <Stack align="center" gap="xs" pb="lg">
          <EmptyState title="No calls yet">
            What counts is the event <code>$feature_flag_called</code>, which SDKs send when code asks for the flag for
            the first time. Requests by curl or OpenFeature send none. In Node.js:
          </EmptyState>
          <Paper withBorder maw="100%" style={{ overflow: 'hidden' }}>
            <Code block tabIndex={0} style={{ overflowX: 'auto', maxWidth: '100%' }}>
              {`import { PostHog } from 'posthog-node'

const client = new PostHog('${token}', { host: '${window.location.origin}' })
const flags = await client.evaluateFlags('ada')
if (flags.isEnabled('${flag.key}')) …`}
            </Code>
          </Paper>
          <Text size="sm" c="dimmed">
            SDKs of OpenFeature work, too, but send no event.
          </Text>
        </Stack>
      }
    />
  );
}
