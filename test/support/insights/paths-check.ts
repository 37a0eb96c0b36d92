import { type ServiceHandle } from '../service-handle.js';
import { personName } from './model.js';
import { naiveEdges, naivePaths, naivePeople, type NaiveEdge, type NaivePath, type NaiveSelection } from './paths.js';
import { pathsParameters, pathsQuestion, type PathsQuestion } from './paths-question.js';
import { pathChanges, pathStream } from './paths-stream.js';
import { checkStreamScene, streamSceneOf, type StreamPoint, type StreamScene } from './stream-scene.js';
import { fewOf, queryOf, twoAtOnce, walk } from './walk.js';

const now = '2024-12-31T12:00:00.000Z';

export const pathsScene = streamSceneOf(pathStream, (_, around) => pathsQuestion(around), pathChanges);

/** Throws if an answer about the stream differs from the naive model. Returns the number of compared edges. */
export const checkPaths = (service: ServiceHandle, scene: StreamScene<PathsQuestion>): Promise<number> =>
  checkStreamScene(service, 'path', scene, checkQuestion);

const checkQuestion = async (question: PathsQuestion, { service, path, model, pick }: StreamPoint): Promise<number> => {
  const paths = naivePaths(model, question);
  const parameters = pathsParameters(question);
  const edges = await edgesOf(service, path, parameters);
  compareEdges(naiveEdges(paths, question), edges, parameters);
  await comparePeople(service, path, parameters, paths, edges, pick);
  return edges.length;
};

const headers = { 'X-Test-Now': now };

const edgesOf = async (service: ServiceHandle, path: string, parameters: object): Promise<readonly NaiveEdge[]> => {
  const answer = await service.call('POST', path, { body: { ...parameters, include: 'insight' }, headers });
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${JSON.stringify([parameters, answer.body])}`);
  return (answer.body as { insight: { edges: NaiveEdge[] } }).insight.edges;
};

const compareEdges = (expected: readonly NaiveEdge[], got: readonly NaiveEdge[], parameters: object): void => {
  const shown = (edges: readonly NaiveEdge[]) =>
    edges.map(({ source, target, value, persons, average_conversion_time: average }) => [
      source,
      target,
      value,
      persons,
      Math.round(average),
    ]);
  if (JSON.stringify(shown(expected)) !== JSON.stringify(shown(got)))
    throw new Error(
      `${JSON.stringify(shown(got))} in place of ${JSON.stringify(shown(expected))}: ${JSON.stringify(parameters)}`,
    );
};

/** Compares the persons of a few edges, of an end of one edge, of all paths, and of the paths that end at one place. */
const comparePeople = async (
  service: ServiceHandle,
  path: string,
  parameters: object,
  paths: readonly NaivePath[],
  edges: readonly NaiveEdge[],
  pick: number,
): Promise<void> => {
  const one = edges[pick % Math.max(1, edges.length)];
  const end = paths[pick % Math.max(1, paths.length)]?.places;
  const selections: { readonly selected: NaiveSelection; readonly number?: number }[] = [
    { selected: {} },
    ...(end
      ? [{ selected: { path_dropoff_key: `${end.length}_${end.at(-1)?.item}`, path_start_key: '1_nothing' } }]
      : []),
    ...(one ? [{ selected: pick % 2 ? { path_start_key: one.source } : { path_end_key: one.target } }] : []),
    ...fewOf(edges, pick).map(({ source, target, persons }) => ({
      selected: { path_start_key: source, path_end_key: target },
      number: persons,
    })),
  ];
  await twoAtOnce(selections, async ({ selected, number }, at) => {
    const limit = at === pick % selections.length ? 2 : 1000;
    const query = queryOf({ ...parameters, ...selected, include: 'persons', limit });
    const people = await walk<{ distinct_ids: string[] }>(service, path, query, headers);
    const [got, expected] = [people.map(personName).sort(), naivePeople(paths, selected)];
    if (JSON.stringify(got) !== JSON.stringify(expected))
      throw new Error(
        `${got.join()} in place of ${expected.join()}: ${JSON.stringify({ ...parameters, ...selected })}`,
      );
    if (number !== undefined && people.length !== number)
      throw new Error(`The edge counts ${number} persons, but its list has ${people.length}`);
  });
};
