import { randomUUID } from 'node:crypto';
import {
  type Case,
  type SceneAction,
  type SceneCohort,
  type SceneEvent,
  type SceneGroup,
  type ScenePerson,
} from './case.js';
import { type Http, jsonOf, type Reply, type Sent } from './http.js';
import { isObject, type JsonObject, listOf, objectOf, textsOf } from './json.js';
import { type SceneIds, withIds } from './parameters.js';

export interface Project {
  readonly id: number;
  readonly token: string;
}

/** The scene could not be set: the case fails with this as the reason. */
export class SceneFailure extends Error {}

/** A case set up in a project of its own. */
export class Scene {
  readonly cohortIds = new Map<string, number>();
  private readonly actionIds = new Map<string, number>();
  readonly ids: SceneIds = { cohorts: this.cohortIds, actions: this.actionIds };
  /** Of the case's events, in their order. */
  readonly eventUuids: readonly string[];
  private readonly names = new Map<string, string>();

  private constructor(
    readonly given: Case,
    readonly http: Http,
    readonly project: Project,
    readonly otherProject: Project | null,
    readonly now: string | null,
  ) {
    this.eventUuids = given.events.map(() => randomUUID());
    for (const { distinct_ids: ids } of given.persons) for (const id of ids) this.names.set(id, ids[0] ?? id);
  }

  static async set(http: Http, given: Case): Promise<Scene> {
    const project = await newProject(http, { timezone: given.timezone, ...given.team });
    const others = given.other_team_persons;
    const scene = new Scene(given, http, project, others ? await newProject(http, {}) : null, nowOf(given));
    await scene.importLines(project, given.persons.map(personLine));
    await scene.importLines(project, (given.groups ?? []).map(groupLine));
    if (others && scene.otherProject) await scene.importLines(scene.otherProject, others.map(personLine));
    const personless = new Set(given.anonymous_distinct_ids ?? []);
    const lines = given.events.map((event, n) => eventLine(event, scene.eventUuids[n] ?? ''));
    const isProfileless = (line: JsonObject) => personless.has(line.distinct_id as string);
    await scene.importLines(project, lines.filter(isProfileless), { create_persons: 'false' });
    await scene.importLines(
      project,
      lines.filter((line) => !isProfileless(line)),
    );
    const actions = given.actions ?? [];
    for (const action of actions) if (!filtersByCohort(action)) await scene.addAction(action);
    const questioned = given.request.insight === 'cohort' ? given.request.params.cohort : null;
    for (const cohort of given.cohorts) if (cohort.ref !== questioned) await scene.addCohort(cohort);
    for (const action of actions) if (filtersByCohort(action)) await scene.addAction(action);
    return scene;
  }

  ask(method: string, path: string, sent: Sent = {}): Promise<Reply> {
    return this.http.ask(method, `/api/projects/${this.project.id}/${path}`, { now: this.now, ...sent });
  }

  /** A person as cases name it: by the first distinct id it has in the case. A group: by its key. */
  nameOf(person: JsonObject): string {
    if (typeof person.group_key === 'string') return person.group_key;
    const ids = textsOf(person.distinct_ids);
    const known = ids.find((id) => this.names.has(id));
    return (known === undefined ? undefined : this.names.get(known)) ?? ids[0] ?? `a person without distinct ids`;
  }

  cohortBody({ ref, static_distinct_ids: members }: SceneCohort, body: JsonObject): JsonObject {
    const named = { name: ref, ...body, ...(members ? { distinct_ids: members } : {}) };
    return withIds(named, this.ids);
  }

  private async addAction({ ref, name, steps }: SceneAction): Promise<void> {
    const reply = await this.ask('POST', 'actions', { body: withIds({ name: name ?? ref, steps }, this.ids) });
    if (reply.status !== 201)
      throw new SceneFailure(`POST actions answered ${reply.status}: ${reply.text.slice(0, 300)}`);
    this.actionIds.set(ref, objectOf(jsonOf(reply)).id as number);
  }

  private async addCohort(cohort: SceneCohort): Promise<void> {
    const first = this.cohortBody(cohort, cohort.previous_body ?? cohort.body);
    const made = await this.calculated('POST', 'cohorts', first, 201);
    const id = made.id as number;
    this.cohortIds.set(cohort.ref, id);
    if (cohort.previous_body)
      await this.calculated('PATCH', `cohorts/${id}`, this.cohortBody(cohort, cohort.body), 200);
  }

  private async calculated(method: string, path: string, body: JsonObject, status: number): Promise<JsonObject> {
    const reply = await this.ask(method, path, { query: { wait: 30 }, body });
    const cohort = objectOf(jsonOf(reply));
    if (reply.status !== status || cohort.is_calculating !== false || cohort.calculation_error)
      throw new SceneFailure(`${method} ${path} answered ${reply.status}: ${reply.text.slice(0, 300)}`);
    return cohort;
  }

  private async importLines(project: Project, lines: readonly JsonObject[], query: JsonObject = {}): Promise<void> {
    if (lines.length === 0) return;
    const path = `/api/projects/${project.id}/import`;
    const reply = await this.http.ask('POST', path, { query, lines, now: this.now });
    const counts = objectOf(jsonOf(reply));
    if (
      reply.status !== 200 ||
      listOf(counts.rejected).length > 0 ||
      Number(counts.persons) + Number(counts.events) !== lines.length
    )
      throw new SceneFailure(`the import answered ${reply.status}: ${reply.text.slice(0, 300)}`);
  }
}

/** Such an action is made after the cohorts; any other before them, because cohorts name actions too. */
const filtersByCohort = ({ steps }: SceneAction): boolean =>
  steps.some(({ properties }) => listOf(properties).some((filter) => isObject(filter) && filter.type === 'cohort'));

const newProject = async (http: Http, settings: JsonObject): Promise<Project> => {
  const reply = await http.ask('POST', '/api/projects', { body: { name: 'Conformance', ...settings } });
  if (reply.status !== 201) throw new SceneFailure(`POST /api/projects answered ${reply.status}: ${reply.text}`);
  const { id, api_token: token } = objectOf(jsonOf(reply));
  return { id: id as number, token: token as string };
};

const personLine = (person: ScenePerson): JsonObject => ({ type: 'person', ...person });
/** Groups are made long before the events, so that no question counts the event that makes them. */
const groupLine = ({ type, key, properties, created_at: at = '2000-01-01T00:00:00Z' }: SceneGroup): JsonObject => ({
  type: 'event',
  event: '$groupidentify',
  distinct_id: `$${type}_${key}`,
  timestamp: at,
  properties: { $group_type: type, $group_key: key, $group_set: properties ?? {} },
});
const eventLine = (event: SceneEvent, uuid: string): JsonObject => ({ type: 'event', uuid, ...event });

const day = 24 * 60 * 60_000;

/**
 * Where a case froze no time, any time after its last event and its range will do: the real one where it has neither.
 */
const nowOf = ({ now, events, request: { params } }: Case): string | null => {
  if (now !== null) return now;
  const end = /^\d{4}-/.test(String(params.date_to)) ? Date.parse(String(params.date_to)) : NaN;
  const times = [...events.map(({ timestamp }) => Date.parse(timestamp)), end].filter(Number.isFinite);
  if (times.length === 0) return null;
  // A bare day as the end lasts to its end, in whatever zone.
  return new Date(times.reduce((latest, time) => Math.max(latest, time)) + 2 * day).toISOString();
};
