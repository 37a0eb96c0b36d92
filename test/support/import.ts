import { type ServiceHandle } from './service-handle.js';

/** Sets the scene by import; every line must be taken. */
export const importLines = async (
  service: ServiceHandle,
  projectId: number,
  lines: readonly object[],
  query = '',
): Promise<void> => {
  const answer = await fetch(`${service.url}/api/projects/${projectId}/import${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  const { rejected } = (await answer.json()) as { rejected: unknown[] };
  if (answer.status !== 200 || rejected.length > 0) throw new Error(`import: ${JSON.stringify(rejected)}`);
};

export const personLine = (distinctIds: string | readonly string[], properties: object = {}, more: object = {}) => ({
  type: 'person',
  distinct_ids: [distinctIds].flat(),
  properties,
  ...more,
});
