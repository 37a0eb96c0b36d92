import { type Random } from '../../fuzz/random.js';
import * as agg from './aggregates.js';
import * as cond from './conditions.js';
import * as fn from './functions.js';
import * as moment from './moments.js';
import { column, intLiteral, some, type Expr, type Type } from './expression.js';
import { type Column, type Leaf, type Select, type Source, type Statement } from './statement.js';
import { cohortNames, eventKeys, personKeys } from './tiny.js';
import { ExpressionGenerator, type Scope } from './generate-expressions.js';

const property = (random: Random, prefix: string, key: string): string => {
  const bracket = `${prefix}['${key.replaceAll("'", "''")}']`;
  return /^[\w$]+$/.test(key) && random.chance(0.6) ? `${prefix}.${key}` : bracket;
};

const otherTables = ['persons', 'persons', 'person_distinct_ids', 'cohorts', 'cohort_people'] as const;
const joinedTables = ['persons', 'person_distinct_ids', 'sessions', 'events', 'cohort_people'] as const;

/** Draws statements: each follows from the state of `random` alone. */
export class Generator extends ExpressionGenerator {
  statement(): Statement {
    if (this.random.chance(0.1)) {
      const types = Array.from({ length: this.random.integer(1, 2) }, () => this.random.pick(['text', 'int'] as const));
      return [0, 1].map(() => this.plain(types, 'branch'));
    }
    return [this.select(2)];
  }

  private select(depth: number): Select {
    return this.random.chance(0.4) ? this.grouped(depth) : this.plain(null, 'whole', depth);
  }

  // Relations

  private leavesOf(table: string, alias: string | null): Leaf[] {
    const of = alias ?? table;
    const dot = alias === null ? '' : `${alias}.`;
    const leaf = (type: Type, name: string, sql = `${dot}${name}`): Leaf => ({ type, sql, key: `${of}.${name}` });
    const bag = (prefix: string, keys: readonly string[]): Leaf[] =>
      keys.map((key) => leaf('text', `${prefix}${key}`, property(this.random, `${dot}${prefix.slice(0, -1)}`, key)));
    switch (table) {
      case 'events':
        return [
          leaf('text', 'event'),
          leaf('text', 'distinct_id'),
          leaf('time', 'timestamp'),
          leaf('id', 'person_id'),
          ...bag('properties.', eventKeys),
          ...bag('person.properties.', personKeys),
        ];
      case 'persons':
        return [leaf('id', 'id'), ...bag('properties.', personKeys)];
      case 'person_distinct_ids':
        return [leaf('text', 'distinct_id'), leaf('id', 'person_id')];
      case 'cohorts':
        return [leaf('text', 'name')];
      case 'cohort_people':
        return [leaf('id', 'person_id')];
      default:
        return [
          leaf('id', 'person_id'),
          leaf('int', 'events', `toInt64(${dot}events)`),
          leaf('time', 'first', `${dot}start`),
          leaf('time', 'last', `${dot}end`),
        ];
    }
  }

  private relation(depth: number): { source: Source; leaves: Leaf[] } {
    const { random } = this;
    const kind = random.next();
    if (depth > 0 && kind < 0.2) {
      const alias = this.name('s');
      const select = this.select(depth - 1);
      const leaves = select.columns
        .filter(({ expr }) => expr.type !== 'texts' && expr.type !== 'ints')
        .map(({ name, expr }): Leaf => ({ type: expr.type, sql: `${alias}.${name}`, key: `${alias}.${name}` }));
      if (leaves.length > 0) return { source: { kind: 'select', select, alias, isCte: random.chance(0.4) }, leaves };
    }
    if (kind < 0.4) return this.joined();
    const table = random.pick([...['events', 'events', 'events', 'events', 'sessions', 'sessions'], ...otherTables]);
    const alias = random.chance(0.5) ? this.name(table.slice(0, 1)) : null;
    return { source: { kind: 'table', table, alias }, leaves: this.leavesOf(table, alias) };
  }

  private joined(): { source: Source; leaves: Leaf[] } {
    const tables = ['events', this.random.pick(joinedTables)];
    const sides = tables.map((table) => {
      const alias = this.name(table.slice(0, 1));
      const leaves = this.leavesOf(table, alias);
      const source: Source = { kind: 'table', table, alias };
      return { source, leaves };
    });
    if (this.random.chance(0.5)) sides.reverse();
    const [left, right] = sides as [(typeof sides)[0], (typeof sides)[0]];
    const idOf = ({ leaves }: typeof left): Expr => this.leaf(leaves.filter(({ type }) => type === 'id'));
    const on = cond.compared('=', idOf(left), idOf(right));
    return {
      source: { kind: 'join', left: left.source, right: right.source, on },
      leaves: [...left.leaves, ...right.leaves],
    };
  }

  // Statements

  private grouped(depth: number): Select {
    const { random } = this;
    const { source, leaves } = this.relation(depth - 1);
    const scope: Scope = { leaves, variables: [] };
    const keys = Array.from({ length: random.pick([0, 1, 1, 1, 2]) }, () => this.key(scope)).filter(
      (key): key is Expr => key !== null,
    );
    const shown = keys.filter(({ type }) => type !== 'id');
    const columns = [
      ...shown,
      ...Array.from({ length: random.integer(1, 3) }, () => this.aggregate(scope, keys.length > 0)),
    ];
    return this.ended({
      from: source,
      where: this.where(scope, 0.5, 2),
      keys,
      having:
        keys.length > 0 && random.chance(0.2)
          ? cond.compared(random.pick(cond.comparisonSigns), agg.countAll(), intLiteral(random.integer(0, 3)))
          : null,
      columns: columns.map((expr) => this.column(expr)),
      distinct: false,
    });
  }

  private plain(types: readonly Type[] | null, place: 'whole' | 'branch', depth = 1): Select {
    const { random } = this;
    const { source, leaves } = this.relation(depth - 1);
    const scope: Scope = { leaves, variables: [] };
    const wished =
      types ??
      Array.from({ length: random.integer(1, 4) }, () =>
        random.pick(['text', 'text', 'int', 'float', 'flag', 'texts', 'ints'] as const),
      );
    const columns = wished.map((type) => this.column(this.expr(type, 3, scope)));
    const isDistinct = random.chance(0.15);
    if (place === 'whole' && !isDistinct && random.chance(0.2)) {
      const over = this.window(scope);
      if (over) columns.push(this.column(over));
    }
    const parts = {
      from: source,
      where: this.where(scope, 0.6, 3),
      keys: [],
      having: null,
      columns,
      distinct: isDistinct,
    };
    return place === 'whole'
      ? this.ended(parts)
      : { ...parts, descending: null, limitBy: null, limit: null, offset: null };
  }

  private ended(parts: Omit<Select, 'descending' | 'limitBy' | 'limit' | 'offset'>): Select {
    const { random } = this;
    const none = { descending: null, limitBy: null, limit: null, offset: null };
    if (random.chance(0.5)) return { ...parts, ...none };
    const limitBy = random.chance(0.15) ? random.integer(1, 2) : null;
    const isWhole = limitBy === null;
    return {
      ...parts,
      descending: parts.columns.map(() => random.chance(0.4)),
      limitBy,
      // The parser reads LIMIT BY only by itself.
      limit: isWhole && random.chance(0.5) ? random.integer(1, 6) : null,
      offset: isWhole && random.chance(0.2) ? random.integer(0, 4) : null,
    };
  }

  /** Often with bounds on a time, which the service uses to read less. */
  private where(scope: Scope, share: number, depth: number): Expr | null {
    const { random } = this;
    const times = scope.leaves.filter(({ type }) => type === 'time');
    const bound = () => cond.compared(random.pick(cond.comparisonSigns), this.leaf(times), this.constantTime());
    const ids = scope.leaves.filter(({ type }) => type === 'id');
    const among = () =>
      cond.inCohort(this.leaf(ids), random.pick(cohortNames), random.pick(['in', 'not in', 'inCohort'] as const));
    const memberships = ids.length > 0 && random.chance(0.1) ? [among()] : [];
    const bounds = times.length > 0 && random.chance(0.3) ? Array.from({ length: random.integer(1, 2) }, bound) : [];
    const all = [...bounds, ...memberships, ...(random.chance(share) ? [this.expr('flag', depth, scope)] : [])];
    return all.length === 0 ? null : all.reduce((left, right) => cond.and(left, right));
  }

  private constantTime(): Expr {
    const constant = this.expr('time', 0, { leaves: [], variables: [] });
    return this.random.chance(0.6) ? moment.later(constant, this.random.integer(-40, 40), 'hour') : constant;
  }

  private column(expr: Expr): Column {
    return { name: this.name('c'), expr };
  }

  private key(scope: Scope): Expr | null {
    const { random } = this;
    const ids = scope.leaves.filter(({ type }) => type === 'id');
    if (ids.length > 0 && random.chance(0.3)) return this.leaf(ids);
    for (let tries = 0; tries < 5; tries += 1) {
      const key = this.expr(random.pick(['text', 'text', 'int', 'flag'] as const), random.integer(0, 2), scope);
      if (some(key, ({ isColumn = false }) => isColumn)) return key;
    }
    return null;
  }

  private aggregate(scope: Scope, isGrouped: boolean): Expr {
    const { random } = this;
    const ids = scope.leaves.filter(({ type }) => type === 'id');
    const of = (type: Type) => this.expr(type, 2, scope);
    const form = random.pick(['count(distinct ', 'uniqExact('] as const);
    const always = [
      () => agg.countAll(),
      () => agg.count(of('text')),
      () => agg.countIf(of('flag')),
      () => agg.countDistinct(ids.length > 0 && random.chance(0.6) ? this.leaf(ids) : of('text'), form),
      () =>
        agg.gathered(of(random.pick(['text', 'int'] as const)), random.pick(['groupArray', 'groupUniqArray'] as const)),
    ];
    // What they answer for no rows at all depends on whether a column can be null.
    const ofRows = [
      () => agg.sum(of(random.pick(['int', 'float'] as const))),
      () => agg.sumIf(of('int'), of('flag')),
      () => agg.avg(of(random.pick(['int', 'float'] as const))),
      () => agg.extreme(random.pick(['min', 'max'] as const), of(random.pick(['text', 'int', 'float'] as const))),
      () => fn.plus(agg.countAll(), agg.countIf(of('flag'))),
    ];
    return random.pick(isGrouped ? [...always, ...ofRows] : always)();
  }

  private window(scope: Scope): Expr | null {
    const { random } = this;
    const key = this.key(scope);
    if (!key) return null;
    const moments = scope.leaves.filter(({ key: name }) => /^e\d+\.timestamp$|^events\.timestamp$/.test(name));
    // A join shows one event many times, and then its time is no order.
    const [moment] = moments;
    const isJoined = new Set(scope.leaves.map(({ key: name }) => name.split('.')[0])).size > 1;
    const of = this.expr('int', 1, scope);
    const choices = [() => agg.countOver(key), () => agg.maxOver(key, of)];
    if (moment && !isJoined) {
      const at = column('time', moment.sql, moment.key);
      choices.push(
        () => agg.rowNumber(key, at),
        () => agg.runningSum(key, at, cond.coalesce(of, intLiteral(0), 'ifNull')),
      );
    }
    return random.pick(choices)();
  }
}
