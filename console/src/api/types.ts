import { type components } from './schema';

type Schemas = components['schemas'];

export type Person = Schemas['PersonDto'];
export type QuestionWarning = Schemas['QuestionWarningDto'];
export type Cohort = Schemas['CohortDto'];
export type EventRow = Schemas['EventDto'];
export type Project = Schemas['ProjectDto'];
export type User = Schemas['UserDto'];
export type LiveSummary = Schemas['LiveSummaryDto'];

/** The envelope of every list. */
export interface Page<T> {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly T[];
}
