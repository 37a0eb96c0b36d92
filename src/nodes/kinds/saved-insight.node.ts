import { invalidInput, Problem, required } from '../../platform/errors/problem.js';
import { isFields, readText, type Fields } from '../../platform/fields/values.js';
import { idOfShortId } from '../../platform/values/short-id.js';
import { readSmallId } from '../../platform/values/ids.js';
import { readNodeFields } from '../reading/node-fields.js';
import { Translation } from '../reading/translation.js';
import { type AskedAsNode, nodeOfQuestion } from './node-of-question.js';
import { innermost, savedInsightKind, savedInsightNode } from './wrappers.js';

type FindInsight = (id: number) => Promise<AskedAsNode | null>;

/** A node with the question of the insight that it names. */
interface NodeOfSaved {
  readonly node: unknown;
  /** The place of the short id, which every refusal of the question names. */
  readonly attr: string;
}

/** Puts the question of an insight in place of the node that names it; null if no node inside of `sent` does. */
export const withSavedInsight = async (sent: unknown, attr: string, find: FindInsight): Promise<NodeOfSaved | null> => {
  if (!isFields(sent)) return null;
  if (sent.kind === savedInsightKind) return { node: await nodeOfSaved(sent, attr, find), attr: `${attr}.shortId` };
  const source = await withSavedInsight(sent.source, `${attr}.source`, find);
  return source && { node: { ...sent, source: source.node }, attr: source.attr };
};

const nodeOfSaved = async (sent: Fields, place: string, find: FindInsight): Promise<unknown> => {
  readNodeFields(savedInsightNode, sent, place, new Translation());
  const attr = `${place}.shortId`;
  if (sent.shortId === undefined || sent.shortId === null) throw required(attr);
  const text = readText(sent.shortId, attr);
  const id = readSmallId(text) ?? idOfShortId(text);
  const saved = id === null ? null : await find(id);
  if (saved === null) throw invalidInput(`${attr} must be the short id of an insight of this project`, attr);
  const { type, params, query } = saved;
  const node = query ?? (isFields(params.query) ? params.query : nodeOfQuestion(type, params));
  if (node === null) throw invalidInput(`${attr} is an insight for which no node stands: ask GET insights/${id}`, attr);
  return innermost(node, place).node;
};

/** Runs `work`; a refusal of a part of the saved question becomes one of its short id. */
export const namingSaved = async <T>({ attr }: NodeOfSaved, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const place = attr.slice(0, -'shortId'.length);
    if (error instanceof Problem && error.attr?.startsWith(place) === true) throw error.at(attr);
    throw error;
  }
};
