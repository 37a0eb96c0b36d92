import { floatLiteral, intLiteral, textLiteral, type Expr } from './expression.js';
import { compared } from './conditions.js';
import { type Select, type Source, type Statement } from './statement.js';

const leastOf = (expr: Expr): Expr | null => {
  switch (expr.type) {
    case 'text':
      return textLiteral('a');
    case 'int':
      return intLiteral(1);
    case 'float':
      return floatLiteral(1.5);
    case 'flag':
      return compared('=', intLiteral(1), intLiteral(1));
    default:
      return null;
  }
};

function* smallerExprs(expr: Expr): Generator<Expr> {
  const least = leastOf(expr);
  if (least && expr.args.length > 0 && least.args.length < expr.args.length + 1) yield least;
  for (const arg of expr.args) if (arg.type === expr.type) yield arg;
  for (const [n, arg] of expr.args.entries()) {
    for (const smaller of smallerExprs(arg))
      yield { ...expr, args: expr.args.map((one, m) => (m === n ? smaller : one)) };
  }
}

function* smallerSources(source: Source): Generator<Source> {
  if (source.kind === 'select') {
    if (source.isCte) yield { ...source, isCte: false };
    for (const select of smallerSelects(source.select, false)) yield { ...source, select };
  }
  if (source.kind === 'join') {
    yield source.left;
    yield source.right;
  }
}

function* smallerSelects(select: Select, mayDropColumns: boolean): Generator<Select> {
  const { columns, where, having, keys, descending } = select;
  if (where) yield { ...select, where: null };
  if (having) yield { ...select, having: null };
  if (select.distinct) yield { ...select, distinct: false };
  if (descending) yield { ...select, descending: null, limitBy: null, limit: null, offset: null };
  if (select.limitBy !== null) yield { ...select, limitBy: null };
  if (select.limit !== null) yield { ...select, limit: null, offset: null };
  if (select.offset !== null) yield { ...select, offset: null };
  if (mayDropColumns && columns.length > 1) {
    for (const n of columns.keys())
      yield {
        ...select,
        columns: columns.filter((_, m) => m !== n),
        descending: descending?.filter((_, m) => m !== n) ?? null,
      };
  }
  for (const from of smallerSources(select.from)) yield { ...select, from };
  if (where) for (const smaller of smallerExprs(where)) yield { ...select, where: smaller };
  // A key stands among the columns too, and both must stay the same.
  if (keys.length > 0) return;
  for (const [n, column] of columns.entries()) {
    for (const expr of smallerExprs(column.expr))
      yield { ...select, columns: columns.map((one, m) => (m === n ? { ...column, expr } : one)) };
  }
}

function* smallerStatements(statement: Statement): Generator<Statement> {
  if (statement.length > 1) for (const select of statement) yield [select];
  for (const [n, select] of statement.entries()) {
    for (const smaller of smallerSelects(select, statement.length === 1))
      yield statement.map((one, m) => (m === n ? smaller : one));
  }
}

/** The smallest statement found that still fails in the same way, after so many attempts at most. */
export const shrunk = async (
  statement: Statement,
  fails: (statement: Statement) => Promise<boolean>,
  attempts = 200,
): Promise<Statement> => {
  let best = statement;
  for (let left = attempts; left > 0;) {
    let better: Statement | null = null;
    for (const smaller of smallerStatements(best)) {
      if ((left -= 1) < 0) break;
      if (await fails(smaller).catch(() => false)) {
        better = smaller;
        break;
      }
    }
    if (!better) break;
    best = better;
  }
  return best;
};
