import { type LiveCohort } from '../kernel/memberships/live-cohorts.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { type CohortMemberships } from '../filters/compile/cohort-memberships.js';
import { type EventMatch } from '../filters/reading/event-match.js';
import { fault, type SourcePosition } from './fault.js';
import { Names, type CompiledExpression, type StatementSize } from './compiled.js';
import { type NameExpression } from './tree.js';
import { Literals } from './literals.sql.js';

export type OwnerOfProperties = 'event' | 'person';

/** A number: all values that the property has in the project are numbers. Mixed: some of them are. */
export type PropertyType = 'number' | 'mixed' | 'other';

export interface PropertyTypes {
  of(owner: OwnerOfProperties, key: string): PropertyType;
}

/** The context of a question beside its text. */
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
/** The engine takes some ten microseconds for each, and does not look at its limits while it analyses. */
const maxExpressions = 10_000;

/** One question while it is compiled. */
export class SqlStatement {
  private grown: StatementSize = { selects: 0, expressions: 0 };
  /** The meanings of the names in the question, once they are compiled. */
  readonly meanings = new WeakMap<NameExpression, CompiledExpression>();
  readonly names = new Names();
  readonly literals = new Literals();

  constructor(readonly scope: AskingScope) {}

  get size(): StatementSize {
    return this.grown;
  }

  grownSince(before: StatementSize): StatementSize {
    const { selects, expressions } = this.grown;
    return { selects: selects - before.selects, expressions: expressions - before.expressions };
  }

  /**
   * A CTE is written anew wherever it is read, and the engine writes an alias anew wherever it is named: one that names another
   * twice doubles it.
   */
  grow({ selects, expressions }: StatementSize, at: SourcePosition): void {
    this.grown = { selects: this.grown.selects + selects, expressions: this.grown.expressions + expressions };
    if (this.grown.selects > maxSelects)
      throw fault(
        `A question may have at most ${maxSelects} SELECTs, and one of a CTE counts as often as it is read`,
        at,
      );
    if (this.grown.expressions > maxExpressions)
      throw fault(
        `A question may have at most ${maxExpressions.toLocaleString('en')} expressions, and what an alias or a CTE stands for counts as often as it is named: compute it in a sub-query in FROM`,
        at,
      );
  }
}
