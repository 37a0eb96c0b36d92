import { type components } from './schema';

export type Schemas = components['schemas'];

export type Person = Schemas['PersonDto'];
/** A person of a list behind a point. An actor that has only a distinct id and no profile has a negative id. */
export type PersonOfPoint = Schemas['InsightPersonDto'];
export type QuestionWarning = Schemas['QuestionWarningDto'];
export type Account = Schemas['GroupDto'];
export type AccountType = Schemas['GroupTypeDto'];
export type Cohort = Schemas['CohortDto'];
export type Criterion = Schemas['CriterionDto'];
export type EventRow = Schemas['EventDto'];
export type Project = Schemas['ProjectDto'];
export type User = Schemas['UserDto'];
export type SavedQuestion = Schemas['SavedQuestionDto'];
export type SavedInsight = Schemas['SavedInsightDto'];
export type Dashboard = Schemas['DashboardDto'];
export type Tile = Schemas['TileDto'];
export type TileAnswer = Schemas['TileAnswerDto'];
export type Flag = Schemas['FlagDto'];
export type Alert = Schemas['AlertDto'];
