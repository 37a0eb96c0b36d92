import { Group, Stack, Text, Title } from '@mantine/core';
import { pages } from '../../api/client';
import { useProject } from '../../address/project-context';
import { textOf, useQuestion } from '../../address/search';
import { FlagsOf, knownBy } from '../../filters/flag-decisions';
import { formatAgo, formatTime } from '../../ui/format';
import { Records } from '../../ui/records';
import { Select } from '../../ui/select';
import { valueText } from '../../ui/value';
import { type PersonProps } from './person';

/** What the person gets of each flag at this moment, and when code asked. */
export function FlagsTab({ projectId, person }: PersonProps) {
  const { timezone } = useProject();
  const [question, ask] = useQuestion();
  const { distinct_ids: ids } = person;
  const distinctId = ids.find((id) => id === textOf(question['distinct_id'])) ?? knownBy(ids);
  return (
    <Stack gap="lg">
      <FlagsOf subject={{ distinctId }}>
        {ids.length > 1 && (
          <Group gap="xs">
            <Text size="sm">Asked with the distinct id</Text>
            <Select
              aria-label="Distinct id"
              w={300}
              data={[...ids]}
              value={distinctId}
              allowDeselect={false}
              searchable
              onChange={(id) => ask({ distinct_id: id ?? undefined })}
            />
            <Text size="sm" c="dimmed">
              Percentages are drawn from it.
            </Text>
          </Group>
        )}
      </FlagsOf>
      <Stack gap="xs">
        <Title order={2} size="h4">
          When code asked
        </Title>
        <Records
          query={pages('/api/projects/{project_id}/events', {
            path: { project_id: projectId },
            query: { event: '$feature_flag_called', person_id: person.uuid, limit: 20 },
          })}
          what="the calls"
          empty="No SDK has asked for a flag for this person yet."
        >
          {(events) =>
            events.map(({ uuid, properties, timestamp }) => (
              <Text key={uuid} size="sm" style={{ overflowWrap: 'anywhere' }}>
                <Text span ff="monospace" size="sm">
                  {valueText(properties['$feature_flag'])}
                </Text>{' '}
                was <b>{valueText(properties['$feature_flag_response'])}</b>{' '}
                <Text span size="sm" c="dimmed" title={formatTime(timestamp, timezone, { second: '2-digit' })}>
                  {formatAgo(timestamp)}
                </Text>
              </Text>
            ))
          }
        </Records>
      </Stack>
    </Stack>
  );
}
