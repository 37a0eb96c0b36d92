import { Injectable } from '@nestjs/common';
import { ActionLookup } from '../../filters/actions/action-lookup.js';
import { ActionNames } from '../../filters/actions/action-names.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type EventMatch, allOf } from '../../filters/reading/filter.js';
import { FilterChecks } from '../../filters/checks/filter-checks.js';
import { LiveCohorts } from '../../kernel/memberships/live-cohorts.js';
import { Projection } from '../../kernel/projection/projection.js';
import { mentionsOf } from '../compile/mentions.js';
import { type AskingScope } from '../statement.js';
import { KnownTypes } from './property-type-reader.js';
import { type Query } from '../tree.js';

export interface OpenedScope extends AskingScope {
  readonly asOf: Date;
  readonly position: string;
}

/** Filters of events that a question names as if they were actions. */
export type NamedMatches = ReadonlyMap<string, readonly EventMatch[]>;

/** Stands in for the types of properties until the compiler knows which ones the question reads. */
const noTypes = new KnownTypes(new Map());
const noMatches: NamedMatches = new Map();

/**
 * Looks up the cohorts and actions that a question names, and waits until the projection has everything that was written
 * before the question.
 */
@Injectable()
export class AskingScopes {
  constructor(
    private readonly projection: Projection,
    private readonly liveCohorts: LiveCohorts,
    private readonly actionNames: ActionNames,
    private readonly actions: ActionLookup,
    private readonly filterChecks: FilterChecks,
  ) {}

  async open(
    project: ProjectContext,
    query: Query,
    now: Date,
    signal: AbortSignal,
    own: NamedMatches = noMatches,
  ): Promise<OpenedScope> {
    const named = await this.lookUp(project, [query], signal, own);
    const { asOf, position } = await this.projection.waitUntilFresh(project.id, now);
    const overridden = await this.projection.hasOverrides(project.id, position);
    return { project, projectId: project.id, now, overridden, ...named, types: noTypes, asOf, position };
  }

  /** Looks up the cohorts and actions that questions name. */
  async lookUp(
    project: ProjectContext,
    queries: readonly Query[],
    signal: AbortSignal,
    own: NamedMatches = noMatches,
  ): Promise<Pick<AskingScope, 'cohorts' | 'memberships' | 'actions'>> {
    const mentions = mentionsOf(queries);
    const cohorts = mentions.cohorts ? await this.liveCohorts.of(project) : [];
    const actions = new Map<string, readonly EventMatch[]>(
      [...own].map(([name, matches]) => [`text ${name}`, matches]),
    );
    for (const action of mentions.actions) {
      const key = action.kind === 'text' ? action.value : action.kind === 'number' ? action.digits : '';
      if (actions.has(`${action.kind} ${key}`)) continue;
      const id = action.kind === 'number' ? Number(key) : await this.actionNames.idOf(project, key);
      const matches = id === null ? null : await this.matchesOf(project, id);
      if (matches) actions.set(`${action.kind} ${key}`, matches);
    }
    const filters = allOf(...[...actions.values()].flatMap((matches) => matches.map(({ filter }) => filter)));
    const ofActions = await this.filterChecks.resolve(project, filters, 'query', { stored: true, signal });
    const memberships = new Map([...ofActions, ...cohorts.map((cohort) => [cohort.id, cohort] as const)]);
    return { cohorts, memberships, actions };
  }

  /** Returns null if the project has no such action. */
  private async matchesOf(project: ProjectContext, id: number): Promise<readonly EventMatch[] | null> {
    try {
      return await this.actions.reading(project, (named) => named.get(id, 'query').matches);
    } catch {
      return null;
    }
  }
}
