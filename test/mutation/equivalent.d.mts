import { type Mutant } from './mutants.mjs';

export type Change = readonly [code: string, mutated: string];

export const equivalents: readonly {
  readonly file: string;
  readonly why: string;
  readonly changes: readonly Change[];
}[];

export const changed: (text: string, change: Change) => string;
export const isEquivalent: (file: string, text: string, mutant: Mutant) => boolean;
