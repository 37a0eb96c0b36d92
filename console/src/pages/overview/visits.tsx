import { Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useProjectId } from '../../address/project-context';
import { Card } from '../../ui/card';
import { Choice } from '../../ui/choice';
import { ProblemAlert } from '../../ui/problem-alert';
import { trendsQuery, visitsParams } from './overview-queries';
import { Ranking } from './ranking';

/** What events of a browser say about a visit. */
const properties = [
  { value: '$current_url', label: 'Pages' },
  { value: '$referring_domain', label: 'Referrers' },
  { value: '$geoip_country_code', label: 'Countries' },
  { value: '$device_type', label: 'Devices' },
  { value: '$browser', label: 'Browsers' },
];

/** The value of events that do not have the property. */
const none = '$$_posthog_breakdown_null_$$';

const nameOf = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const [, path] = /^https?:\/\/[^/]+(\/.*)?$/.exec(text) ?? [];
  return /^https?:\/\//.test(text) ? (path ?? '/') : text;
};

/** The pages that most persons opened, and where they came from. */
export function Visits({ days }: { readonly days: number }) {
  const projectId = useProjectId();
  const [property, setProperty] = useState('$current_url');
  const params = visitsParams(days, property);
  const { data, error, refetch } = useQuery({
    ...trendsQuery(projectId, params),
    placeholderData: keepPreviousData,
  });
  const lines = (data?.series ?? []).filter(
    ({ breakdown_value: value }) => value !== null && value !== none && value !== '' && value !== 'Other',
  );
  const choice = (
    <Choice aria-label="What is listed" data={properties} value={property} onChange={setProperty} w={130} />
  );
  return (
    <Card title="Visits" aside={choice}>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton h={150} role="status" aria-label="Loading the visits" />}
      {data && (
        <Ranking
          empty="No page view has this property."
          lines={lines.map(({ breakdown_value: value, count }) => ({
            name: nameOf(value),
            count,
            to: { to: `/p/${projectId}/insights/trends`, search: params as never },
          }))}
        />
      )}
      {lines.length > 0 && (
        <Text size="xs" c="dimmed" mt="xs">
          Persons with a page view
        </Text>
      )}
    </Card>
  );
}
