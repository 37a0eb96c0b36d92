import { type Random } from '../../fuzz/random.js';
import { distinctIds } from '../insights/stream.js';
import * as cond from './conditions.js';
import * as fn from './functions.js';
import * as list from './lists.js';
import * as moment from './moments.js';
import { column, floatLiteral, intLiteral, textLiteral, type Expr, type Type } from './expression.js';
import { type Leaf } from './statement.js';
import { eventNames, plans } from './tiny.js';

/** What an expression may read. */
export interface Scope {
  readonly leaves: readonly Leaf[];
  /** Variables of the lambdas around. */
  readonly variables: readonly Expr[];
}

/** Draws expressions of a type. */
export class ExpressionGenerator {
  private names = 0;

  constructor(protected readonly random: Random) {}

  /** A name that no other part of the statement has. */
  protected name(prefix: string): string {
    return `${prefix}${(this.names += 1)}`;
  }

  protected leaf(leaves: readonly Leaf[]): Expr {
    const { type, sql, key } = this.random.pick(leaves);
    return column(type, sql, key);
  }

  expr(type: Type, depth: number, scope: Scope): Expr {
    if (depth <= 0 || this.random.chance(0.2)) return this.simple(type, scope);
    return this.compound(type, depth - 1, scope);
  }

  private simple(type: Type, scope: Scope): Expr {
    const { random } = this;
    const variables = scope.variables.filter((variable) => variable.type === type);
    if (variables.length > 0 && random.chance(0.6)) return random.pick(variables);
    const leaves = scope.leaves.filter((leaf) => leaf.type === type);
    if (leaves.length > 0 && random.chance(0.75)) return this.leaf(leaves);
    const texts = scope.leaves.filter((leaf) => leaf.type === 'text');
    switch (type) {
      case 'text':
        return textLiteral(random.pick([...plans, ...eventNames, ...distinctIds.slice(0, 3)]));
      case 'int':
        return texts.length > 0 && random.chance(0.5) ? fn.toInt(this.leaf(texts)) : intLiteral(random.integer(-3, 40));
      case 'float':
        return texts.length > 0 && random.chance(0.6)
          ? fn.toFloat(this.leaf(texts))
          : floatLiteral(random.pick([0, 1.5, -2.25, 10, 0.5]));
      case 'time':
        return random.chance(0.5)
          ? moment.now()
          : moment.localTime(
              random.pick(['2024-03-30 12:00:00', '2024-03-31 00:00:00', '2024-03-10 07:30:00', '2024-04-01 00:00:00']),
            );
      case 'texts':
        return list.list(
          'texts',
          Array.from({ length: random.integer(1, 3) }, () => textLiteral(random.pick(plans))),
        );
      case 'ints':
        return list.list(
          'ints',
          Array.from({ length: random.integer(1, 3) }, () => fn.flagToInt(intLiteral(random.integer(0, 9)))),
        );
      default:
        return cond.compared(random.pick(cond.comparisonSigns), this.simple('text', scope), this.simple('text', scope));
    }
  }

  private compound(type: Type, depth: number, scope: Scope): Expr {
    const { random } = this;
    const of = (wished: Type) => this.expr(wished, depth, scope);
    const whole = (): Expr => cond.coalesce(of('text'), textLiteral(random.pick(plans)), 'ifNull');
    const number = (): Expr => cond.coalesce(of('int'), intLiteral(random.integer(0, 9)), 'ifNull');
    const any = () => [
      () => cond.choice(of('flag'), of(type), of(type), random.pick(['if', 'multiIf', 'case'] as const)),
      () => cond.coalesce(of(type), of(type), random.pick(['coalesce', 'ifNull'] as const)),
    ];
    const within = (item: Type, body: Type): { name: string; inner: Expr } => {
      const name = this.name('x');
      const variable = list.variable(item, name);
      return {
        name,
        inner: this.expr(body, Math.min(depth, 2), { ...scope, variables: [...scope.variables, variable] }),
      };
    };
    const choices: Partial<Record<Type, readonly (() => Expr)[]>> = {
      text: [
        ...any(),
        () => fn.lower(of('text')),
        () => fn.upper(of('text')),
        () => fn.reverse(of('text')),
        () => fn.trim(of('text')),
        () => fn.concat(of('text'), of('text')),
        () => fn.joined(of('text'), of('text')),
        () => fn.substring(of('text'), random.integer(1, 3), random.integer(0, 3)),
        () =>
          fn.replaceAll(
            of('text'),
            textLiteral(random.pick(['o', 'e', 'pr'])),
            textLiteral(random.pick(['', 'x', "'"])),
          ),
        () => cond.nullIf(of('text'), of('text')),
        () => fn.intToText(of('int')),
        () => moment.dateText(of('time')),
        () => moment.timeText(of('time')),
        () => list.joinedTexts(of('texts')),
      ],
      int: [
        ...any(),
        () => fn.length(of(random.pick(['text', 'texts', 'ints'] as const))),
        () => fn.position(of('text'), textLiteral(random.pick(['o', 'e', 'p']))),
        () => fn.toInt(of('text')),
        () => fn.plus(of('int'), of('int')),
        () => fn.minus(of('int'), of('int')),
        () => fn.times(of('int'), random.integer(-2, 3)),
        () => fn.negated(of('int')),
        () => fn.abs(of('int')),
        () => fn.modulo(of('int'), random.integer(2, 5)),
        () => fn.intDiv(of('int'), random.integer(2, 5)),
        () => fn.flagToInt(of('flag')),
        () => moment.toHour(of('time')),
        () => moment.toDayOfWeek(of('time')),
        () => moment.toMonth(of('time')),
        () => moment.toUnix(of('time')),
        () => moment.daysBetween(of('time'), of('time')),
        () => list.sumOf(of('ints')),
        () => {
          const { name, inner } = within('text', 'flag');
          return list.arrayCount(name, inner, of('texts'));
        },
      ],
      float: [
        ...any(),
        () => fn.toFloat(of('text')),
        () => fn.intToFloat(of('int')),
        () => fn.plus(of('float'), of('float')),
        () => fn.minus(of('float'), of('float')),
        () => fn.abs(of('float')),
        () => fn.floor(of('float')),
        () => fn.half(of('float')),
      ],
      flag: [
        () => {
          const kind = random.pick(['text', 'int', 'float', 'time'] as const);
          return cond.compared(random.pick(cond.comparisonSigns), of(kind), of(kind));
        },
        () => cond.between(of('int'), of('int'), of('int')),
        () =>
          cond.isIn(
            of('text'),
            Array.from({ length: random.integer(1, 3) }, () => textLiteral(random.pick([...plans, ...eventNames]))),
            random.chance(0.3),
          ),
        () => cond.isNull(of(random.pick(['text', 'int', 'float'] as const)), random.chance(0.5)),
        () => cond.and(of('flag'), of('flag')),
        () => cond.or(of('flag'), of('flag')),
        () => cond.not(of('flag')),
        () => cond.startsWith(of('text'), textLiteral(random.pick(['p', 'o', '']))),
        () =>
          cond.like(of('text'), random.pick(cond.likePatterns), random.pick(['like', 'ilike', 'not like'] as const)),
        () => cond.match(of('text'), random.pick(['^p', 'e$', '[0-9]', 'o|u'])),
        () => list.has(of('texts'), whole()),
        () => {
          const { name, inner } = within('int', 'flag');
          return list.arrayExists(name, inner, of('ints'));
        },
      ],
      time: [
        () =>
          moment.startOf(
            random.pick(['day', 'hour'] as const),
            of('time'),
            random.pick(['dateTrunc', 'toStartOf'] as const),
          ),
        () => moment.later(of('time'), random.integer(-30, 30), random.pick(['hour', 'minute'] as const)),
      ],
      texts: [
        () => list.list('texts', Array.from({ length: random.integer(1, 3) }, whole)),
        () => list.sorted(of('texts')),
        () => list.distinct(of('texts')),
        () => {
          const { name, inner } = within('text', 'text');
          return list.arrayMap('texts', name, cond.coalesce(inner, textLiteral('none'), 'ifNull'), of('texts'));
        },
        () => {
          const { name, inner } = within('text', 'flag');
          return list.arrayFilter(name, inner, of('texts'));
        },
      ],
      ints: [
        () =>
          list.list(
            'ints',
            Array.from({ length: random.integer(1, 3) }, () => fn.flagToInt(number())),
          ),
        () => list.sorted(of('ints')),
        () => {
          const { name, inner } = within('int', 'int');
          return list.arrayMap('ints', name, fn.flagToInt(cond.coalesce(inner, intLiteral(0), 'ifNull')), of('ints'));
        },
        () => {
          const { name, inner } = within('int', 'flag');
          return list.arrayFilter(name, inner, of('ints'));
        },
      ],
    };
    return random.pick(choices[type] ?? [() => this.simple(type, scope)])();
  }
}
