import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonObject } from './json.js';

export interface ScenePerson {
  readonly distinct_ids: readonly string[];
  readonly properties?: JsonObject;
  readonly created_at?: string;
  readonly is_identified?: boolean;
}

export interface SceneEvent {
  readonly event: string;
  readonly distinct_id: string;
  readonly timestamp: string;
  readonly properties?: JsonObject;
}

/** A group with properties, made before the events. Events name their groups in the property `$groups`. */
export interface SceneGroup {
  readonly type: string;
  readonly key: string;
  readonly properties?: JsonObject;
  readonly created_at?: string;
}

export interface SceneCohort {
  readonly ref: string;
  readonly body: JsonObject;
  /** The cohort is made with this one and then changed to `body`. */
  readonly previous_body?: JsonObject;
  readonly static_distinct_ids?: readonly string[];
}

export interface SceneAction {
  readonly ref: string;
  readonly name: string | null;
  readonly steps: readonly JsonObject[];
}

export interface Case {
  readonly name: string;
  readonly now: string | null;
  readonly timezone: string;
  readonly persons: readonly ScenePerson[];
  readonly groups?: readonly SceneGroup[];
  readonly events: readonly SceneEvent[];
  readonly cohorts: readonly SceneCohort[];
  readonly actions?: readonly SceneAction[];
  readonly team?: JsonObject;
  readonly anonymous_distinct_ids?: readonly string[];
  readonly other_team_persons?: readonly ScenePerson[];
  readonly request: { readonly insight: string; readonly params: JsonObject };
  readonly expect: JsonObject;
  readonly tolerance?: number;
  readonly quirk?: boolean;
}

export interface Family {
  readonly name: string;
  readonly cases: readonly Case[];
}

/** What a case may say. `property_definitions` declare types, which we read off the values themselves. */
const caseKeys = new Set(
  (
    'name source note now timezone persons groups events cohorts actions team anonymous_distinct_ids other_team_persons ' +
    'request expect tolerance quirk newer_option property_definitions'
  ).split(' '),
);
const teamKeys = new Set([
  'test_account_filters',
  'week_start_day',
  'path_cleaning_filters',
  'person_display_name_properties',
]);

export const unknownKeysOf = (given: Case): readonly string[] => [
  ...Object.keys(given).filter((key) => !caseKeys.has(key)),
  ...Object.keys(given.team ?? {})
    .filter((key) => !teamKeys.has(key))
    .map((key) => `team.${key}`),
];

export const casesFolder = (): string => process.env.CONFORMANCE_CASES ?? 'test/conformance/cases';

/** One family a file, named after it. */
export const familiesOf = (folder: string): readonly Family[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({
      name: file.slice(0, -'.json'.length),
      cases: JSON.parse(readFileSync(join(folder, file), 'utf8')) as readonly Case[],
    }));
