import { type Draft } from '../draft.js';
import { type Random } from '../random.js';
import { type Scene } from '../scene.js';

/** One thing that is wrong with a request. */
export interface Fault {
  readonly name: string;
  /** False where the request has no place for it. */
  readonly apply: (draft: Draft, random: Random, scene: Scene) => boolean;
}
