import { type LiveCohort } from '../cohorts/live-cohorts.js';
import { type ProjectContext } from '../common/project-context.js';
import { type CohortMemberships } from '../filters/cohort-memberships.js';
import { type EventMatch } from '../filters/event-match.js';
import { fault, type Place } from './fault.js';
import { Names } from './compiled.js';
import { Literals } from './literals.sql.js';

export type OwnerOfProperties = 'event' | 'person';

/** A number: all values that the property has in the project are numbers. Mixed: some of them are. */
export type PropertyType = 'number' | 'mixed' | 'other';

export interface PropertyTypes {
  of(owner: OwnerOfProperties, key: string): PropertyType;
}

/** What a question needs beside its text. */
export interface AskingScope {
  readonly project: ProjectContext;
  readonly projectId: number;
  readonly now: Date;
  readonly overridden: boolean;
  /** Looked up only if the question names a cohort or reads a table of cohorts. */
  readonly cohorts: readonly LiveCohort[];
  readonly memberships: CohortMemberships;
  readonly types: PropertyTypes;
  /** The actions that the question names. */
  readonly actions: ReadonlyMap<string, readonly EventMatch[]>;
}

const maxSelects = 300;

/** One question while it is compiled. */
export class SqlStatement {
  private selects = 0;
  readonly names = new Names();
  readonly literals = new Literals();

  constructor(readonly scope: AskingScope) {}

  get size(): number {
    return this.selects;
  }

  /** A CTE is written anew wherever it is read, so one that reads another twice doubles it. */
  grow(selects: number, at: Place): void {
    this.selects += selects;
    if (this.selects > maxSelects)
      throw fault(
        `A question may have at most ${maxSelects} SELECTs, and one of a CTE counts as often as it is read`,
        at,
      );
  }
}
