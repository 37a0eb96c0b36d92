import { type ComponentType } from 'react';
import { type SavedQuestion } from '../api/types';
import { type Question } from '../address/search';
import { type Actors } from './actors';
import { type InsightRoute, type Params } from './question/params';

/** The fields that every insight has. */
export interface InsightHead {
  readonly kind: string;
  readonly date_from?: string;
  readonly date_to?: string;
  readonly timezone: string;
  readonly as_of: string;
}

/** A point whose persons are to be listed. */
export interface Point {
  /** Names the point: "order paid, 21 Nov". */
  readonly title: string;
  /** The number at the point in words, if it is not the number of its persons: "731 events". */
  readonly number?: string;
  /** Names the number that each person adds, if the list has it. */
  readonly valueLabel?: string;
  /** The names of the intervals in which each person of the list counts or not. */
  readonly intervals?: readonly string[];
  /** The index of the type of the accounts behind the point, if the question counts persons or other accounts. */
  readonly groupType?: number | undefined;
  /** The parameters that select the persons of the point, beside those of the question. */
  readonly params: Params;
  /** Other lists of persons behind the same point, such as those of the other series of a formula. */
  readonly others?: readonly { readonly label: string; readonly params: Params }[];
}

/** A cell of the exact numbers. */
export interface Cell {
  /** The value in the CSV file. */
  readonly value: string | number | null;
  /** The text of the page, instead of the number. */
  readonly text?: string;
  /** The persons behind the number. */
  readonly point?: Point;
  /** The colour of the line in the picture. */
  readonly color?: string;
}

export interface NumbersTable {
  readonly caption: string;
  readonly columns: readonly string[];
  /** The columns of the CSV file, where programs read other names than people: 2026-03-01 instead of 1 Mar. */
  readonly csvColumns?: readonly string[];
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly Cell[])[];
}

export interface EditorProps {
  readonly question: Question;
  /** Changes the address, and with it the question. */
  readonly change: (fields: Question, options?: { replace?: boolean }) => void;
}

export interface AnswerProps<Insight> {
  readonly insight: Insight;
  /** The parameters that this answer belongs to; those of the address may be newer. */
  readonly params: Params;
  readonly change: EditorProps['change'];
  readonly openPersons: (point: Point) => void;
  /** To be given to the picture, so that the toolbar can save it. */
  readonly onPicture: (toPng: (() => string) | null) => void;
}

/** Describes a kind of insight before its code has come. */
export interface KindName {
  /** In the address of the page, and the type of a saved question. */
  readonly name: SavedQuestion['type'];
  readonly label: string;
}

/** Describes a kind of insight to the frame of the page. */
export interface InsightKind<Insight = InsightHead> extends KindName {
  /** What it tells about persons, or about the accounts that the question counts. */
  readonly descriptionOf: (many: string) => string;
  readonly route: InsightRoute;
  /** The parameters of the route that the page knows, beside those of all insights. */
  readonly parameters: readonly string[];
  /** How many of the events and actions of the address the route takes; further ones are left out. */
  readonly maxEntities?: number;
  /** Parameters of all other insights that the route does not take. */
  readonly without?: readonly string[];
  /** Set where the shared controls make no sense. */
  readonly hasNoInterval?: boolean;
  readonly hasNoRange?: boolean;
  /** Set where the picture is a table of all numbers, so that no other one is below it. */
  readonly isTable?: boolean;
  /** Small controls beside the range, about the way the answer is shown or compared. */
  readonly Options?: ComponentType<EditorProps>;
  /** The picture, and the table below it. */
  readonly Answer: ComponentType<AnswerProps<Insight>>;
  /** The exact numbers, as the table on the page shows them and the CSV file has them. */
  readonly tableOf: (insight: Insight, params: Params, actors: Actors) => NumbersTable;
  /** A statement with the same numbers, or null where none is known to have them. */
  readonly sqlOf?: (insight: Insight, params: Params, settings: SqlSettings) => string | null;
}

export interface SqlSettings {
  readonly timezone: string;
  readonly weekStartDay: number;
  readonly testAccountFilters: readonly unknown[];
}

/** A kind without its name, which the list of all kinds has. */
export type UnnamedKind<Insight = InsightHead> = Omit<InsightKind<Insight>, keyof KindName>;

/** A kind of whose answers the frame knows only the head. */
export const insightKind = <Insight extends InsightHead>(kind: UnnamedKind<Insight>): UnnamedKind =>
  kind as unknown as UnnamedKind;
