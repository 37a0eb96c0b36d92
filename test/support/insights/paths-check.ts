import fc from 'fast-check';
import { type TestService } from '../service.js';
import { loadStream } from './load.js';
import { modelOf, personName } from './model.js';
import {
  naiveEdges,
  naivePaths,
  naivePeople,
  pathsParameters,
  pathsQuestion,
  pathStream,
  type NaiveEdge,
  type NaivePath,
  type NaiveSelection,
  type PathsQuestion,
} from './paths.js';
import { type Stream } from './stream.js';
import { walk } from './walk.js';

export interface PathsScene {
  readonly stream: Stream;
  readonly questions: readonly PathsQuestion[];
  readonly pick: number;
}

const now = '2024-12-31T12:00:00.000Z';

/** A stream and questions about one of its moments. */
export const pathsScene: fc.Arbitrary<PathsScene> = fc.tuple(pathStream, fc.nat()).chain(([drawn, pick]) => {
  const times = [...drawn.before, ...drawn.after].map(({ timestamp }) => timestamp.getTime());
  const around = times[pick % Math.max(1, times.length)] ?? Date.parse(now);
  return fc.record({
    stream: fc.constant(drawn),
    questions: fc.array(pathsQuestion(around), { minLength: 4, maxLength: 4 }),
    pick: fc.nat(),
  });
});

/** Throws where an answer about the stream is not what following each person gives. The number of edges it looked at. */
export const checkPaths = async (
  service: TestService,
  { stream: drawn, questions, pick }: PathsScene,
): Promise<number> => {
  const project = await loadStream(service, drawn);
  const model = modelOf(drawn);
  const path = `/api/projects/${project.id}/persons/path`;
  let seen = 0;
  for (const question of questions) {
    const paths = naivePaths(model, question);
    const asked = pathsParameters(question);
    const edges = await edgesOf(service, path, asked);
    compareEdges(naiveEdges(paths, question), edges, asked);
    await comparePeople(service, path, asked, paths, edges, pick);
    seen += edges.length;
  }
  return seen;
};

const headers = { 'X-Test-Now': now };

const edgesOf = async (service: TestService, path: string, asked: object): Promise<readonly NaiveEdge[]> => {
  const answer = await service.call('POST', path, { body: { ...asked, include: 'insight' }, headers });
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${JSON.stringify([asked, answer.body])}`);
  return (answer.body as { insight: { edges: NaiveEdge[] } }).insight.edges;
};

const compareEdges = (wanted: readonly NaiveEdge[], got: readonly NaiveEdge[], asked: object): void => {
  const shown = (edges: readonly NaiveEdge[]) =>
    edges.map(({ source, target, value, average_conversion_time: average }) => [
      source,
      target,
      value,
      Math.round(average),
    ]);
  if (JSON.stringify(shown(wanted)) !== JSON.stringify(shown(got)))
    throw new Error(
      `${JSON.stringify(shown(got))} in place of ${JSON.stringify(shown(wanted))}: ${JSON.stringify(asked)}`,
    );
};

/** Of everybody, of one edge, of its ends, and where paths end. */
const comparePeople = async (
  service: TestService,
  path: string,
  asked: object,
  paths: readonly NaivePath[],
  edges: readonly NaiveEdge[],
  pick: number,
): Promise<void> => {
  const edge = edges[pick % Math.max(1, edges.length)];
  const end = paths[pick % Math.max(1, paths.length)]?.places;
  const selections: NaiveSelection[] = [
    {},
    ...(end ? [{ path_dropoff_key: `${end.length}_${end.at(-1)?.item}`, path_start_key: '1_nothing' }] : []),
    ...(edge
      ? [
          { path_start_key: edge.source, path_end_key: edge.target },
          pick % 2 ? { path_start_key: edge.source } : { path_end_key: edge.target },
        ]
      : []),
  ];
  for (const selection of selections) {
    const people = await walk<{ distinct_ids: string[] }>(service, path, texts({ ...asked, ...selection }), headers);
    const [got, wanted] = [people.map(personName).sort(), naivePeople(paths, selection)];
    if (JSON.stringify(got) !== JSON.stringify(wanted))
      throw new Error(`${got.join()} in place of ${wanted.join()}: ${JSON.stringify({ ...asked, ...selection })}`);
    const isEdge = selection.path_start_key !== undefined && selection.path_end_key !== undefined;
    if (isEdge && edge && people.length !== edge.value)
      throw new Error(`${edge.value} persons went an edge behind which are ${people.length}`);
  }
};

const texts = (asked: object): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(asked).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  ),
  include: 'persons',
  limit: '2',
});
