import { type Schemas } from '../../api/types';
import { capital } from '../../filters/account-words';
import { formatCount, formatDuration } from '../../ui/format';
import { type Actors } from '../actors';
import { type NumbersTable, type Point } from '../kind';
import { type Params } from '../question/params';

export type PathInsight = Schemas['PathDto'];
export type PathEdge = PathInsight['edges'][number];

/** A step of a path: `2_/pricing` is /pricing as the second item. */
export interface PathStep {
  readonly key: string;
  readonly step: number;
  readonly item: string;
}

export const pathStepOf = (key: string): PathStep => {
  const at = key.indexOf('_');
  return { key, step: Number(key.slice(0, at)), item: key.slice(at + 1) };
};

/** All steps of the picture, from the first step to the last. */
export const pathStepsOf = ({ edges }: PathInsight): PathStep[] =>
  [...new Set(edges.flatMap(({ source, target }) => [source, target]))].map(pathStepOf).sort((a, b) => a.step - b.step);

/** The middle of a long path, which is left out. */
const omission = '...';

export const isOmission = ({ item }: PathStep): boolean => item === omission;

/** An item in words: a page without its origin. */
export const itemText = (item: string): string => {
  if (item === omission) return 'left out';
  const [, path] = /^https?:\/\/[^/]+(\/.*)?$/.exec(item) ?? [undefined, undefined];
  return /^https?:\/\//.test(item) ? (path ?? '/') : item;
};

export const stepText = ({ step, item }: PathStep): string => `${step}. ${itemText(item)}`;

export const timeText = ({ average_conversion_time }: PathEdge): string =>
  formatDuration(average_conversion_time / 1000);

export const edgePoint = ({ source, target, value, persons }: PathEdge): Point => ({
  title: `${itemText(pathStepOf(source).item)} → ${itemText(pathStepOf(target).item)}`,
  number: value === persons ? undefined : `They went this way ${formatCount(value, 'time')}.`,
  params: { path_start_key: source, path_end_key: target },
});

export const pathsTable = ({ edges }: PathInsight, _: Params, { noun }: Actors): NumbersTable => ({
  caption: 'Edges of the paths',
  columns: ['From', 'To', capital(noun[1]), 'Times', 'Average time'],
  rows: edges.map((edge) => [
    { value: edge.source, text: stepText(pathStepOf(edge.source)) },
    { value: edge.target, text: stepText(pathStepOf(edge.target)) },
    { value: edge.persons, point: edgePoint(edge) },
    { value: edge.value, point: edgePoint(edge) },
    { value: edge.average_conversion_time / 1000, text: timeText(edge) },
  ]),
});
