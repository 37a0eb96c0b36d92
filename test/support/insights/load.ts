import { type ProjectDto } from '../../../src/projects/project.dto.js';
import { type ServiceHandle } from '../service-handle.js';
import { type Change } from './changes.js';
import { mergeEvent } from './model.js';
import { ghost, type Stream, type StreamEvent } from './stream.js';

/** A new project with the stream in it: persons and events by import, merges as an SDK sends them. */
export const loadStream = async (
  service: ServiceHandle,
  stream: Stream,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<ProjectDto> => {
  const { zone: timezone, weekStartDay: week_start_day, persons, groups = [], before, merges, after } = stream;
  const body = { ...settings, name: 'Stream', timezone, week_start_day };
  const project = (await service.call('POST', '/api/projects', { body })).body as ProjectDto;
  await importLines(service, project, [...persons.map(personLine), ...groups]);
  await importEvents(service, project, before);
  for (const merge of merges) await capture(service, project, mergeEvent(merge));
  await importEvents(service, project, after);
  return project;
};

/** One after the other, as a person and an SDK would. */
export const makeChanges = async (
  service: ServiceHandle,
  project: ProjectDto,
  changes: readonly Change[],
): Promise<void> => {
  for (const change of changes) {
    if (change.kind === 'merge') await capture(service, project, mergeEvent(change.merge));
    else await split(service, project, change);
  }
};

const split = async (
  service: ServiceHandle,
  { id }: ProjectDto,
  { distinctId, role }: Extract<Change, { kind: 'split' }>,
): Promise<void> => {
  const persons = `/api/projects/${id}/persons`;
  const found = await service.call('GET', persons, { query: { distinct_id: distinctId } });
  const [person] = (found.body as { results: { id: number }[] }).results;
  const body = role === 'stays' ? { main_distinct_id: distinctId } : { distinct_ids_to_split: [distinctId] };
  const answer = await service.call('POST', `${persons}/${person?.id}/split`, { body });
  if (answer.status !== 200) throw new Error(`split answered ${answer.status}: ${JSON.stringify(answer.body)}`);
};

export const personLine = ({
  distinctIds,
  properties,
  createdAt,
  isIdentified,
}: Stream['persons'][number]): object => ({
  type: 'person',
  distinct_ids: distinctIds,
  properties,
  created_at: createdAt.toISOString(),
  is_identified: isIdentified,
});

export const wireEvent = ({ uuid, event, distinctId, timestamp, properties }: StreamEvent): object => ({
  uuid,
  event,
  distinct_id: distinctId,
  timestamp: timestamp.toISOString(),
  properties,
});

/** Only the ghost has no person, and is to have none. */
const importEvents = async (service: ServiceHandle, project: ProjectDto, events: readonly StreamEvent[]) => {
  for (const personless of [false, true]) {
    const mine = events.filter(({ distinctId }) => (distinctId === ghost) === personless);
    const lines = mine.map((event) => ({ type: 'event', ...wireEvent(event) }));
    await importLines(service, project, lines, personless ? '?create_persons=false' : '');
  }
};

export const importLines = async (
  service: ServiceHandle,
  project: Pick<ProjectDto, 'id'>,
  lines: readonly object[],
  query = '',
): Promise<void> => {
  if (lines.length === 0) return;
  const answer = await service.call('POST', `/api/projects/${project.id}/import${query}`, {
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  const counts = answer.body as { persons: number; events: number; rejected: unknown[] };
  if (counts.rejected.length > 0 || counts.persons + counts.events !== lines.length)
    throw new Error(`the import took not everything: ${JSON.stringify(counts)}`);
};

export const capture = async (
  service: ServiceHandle,
  project: Pick<ProjectDto, 'api_token'>,
  event: StreamEvent,
): Promise<void> => {
  const body = { api_key: project.api_token, batch: [wireEvent(event)] };
  const answer = await service.call('POST', '/batch', { key: null, body });
  const { accepted } = answer.body as { accepted: number };
  if (accepted !== 1) throw new Error(`capture took nothing: ${JSON.stringify(answer.body)}`);
};
