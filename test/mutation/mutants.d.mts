export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly kind: string;
  readonly line: number;
}

export const mutantsOf: (name: string, text: string) => Mutant[];
export const withMutant: (text: string, mutant: Pick<Mutant, 'start' | 'end' | 'replacement'>) => string;
