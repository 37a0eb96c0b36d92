import { Badge, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { answer } from '../../api/client';
import { useOpenProject } from '../../address/project-context';
import { formatAgo, formatNumber, formatTime } from '../../ui/format';
import { CopiedText } from './copied-text';
import { type PersonProps } from './person';

const identified = 'An SDK has said who this is, by a call such as identify.';
const anonymous = 'No SDK has said who this is: no call such as identify has named this person.';

/** Shows the ids of the person, when it was seen first and last, and a mark if it is identified. */
export function PersonSummary({ projectId, person }: PersonProps) {
  const { project, can } = useOpenProject();
  const { timezone } = project;
  const { data: events } = useQuery({
    ...answer('/api/projects/{project_id}/events', {
      path: { project_id: projectId },
      query: { person_id: person.uuid, limit: 1 },
    }),
    enabled: can('event:read'),
  });
  const newest = events?.results[0];
  const [mainId] = person.distinct_ids;
  return (
    <Group gap="md" mt={4} style={{ rowGap: 4 }}>
      <Badge
        variant={person.is_identified ? 'light' : 'default'}
        tt="none"
        title={person.is_identified ? identified : anonymous}
      >
        {person.is_identified ? 'Identified' : 'Anonymous'}
      </Badge>
      <Text size="sm" component="span" title={person.created_at}>
        First seen {formatTime(person.created_at, timezone)}
      </Text>
      {newest && (
        <Text size="sm" component="span" title={newest.timestamp}>
          Last seen {formatTime(newest.timestamp, timezone)} ({formatAgo(newest.timestamp)})
        </Text>
      )}
      {events && (
        <Text size="sm" component="span">
          {formatNumber(events.count)} {events.count === 1 ? 'event' : 'events'}
        </Text>
      )}
      <Group gap="md" w="100%" style={{ rowGap: 2 }}>
        <CopiedText text={String(person.id)} label="Copy the id" />
        <CopiedText text={person.uuid} label="Copy the UUID" />
        {mainId !== undefined && <CopiedText text={mainId} label="Copy the distinct id" />}
        {person.distinct_id_count > 1 && (
          <Text size="xs" component="span">
            and {formatNumber(person.distinct_id_count - 1)} more distinct{' '}
            {person.distinct_id_count === 2 ? 'id' : 'ids'}
          </Text>
        )}
      </Group>
    </Group>
  );
}
