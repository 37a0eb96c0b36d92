import { Inject, Injectable } from '@nestjs/common';
import { Problem, type ProblemCode } from '../../platform/errors/problem.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import { engineCode, InvalidRegex, QueryTooExpensive, type Expense } from '../../platform/clickhouse/errors.js';
import { walk } from '../compile/walk.js';
import { boundsOf, stepRefusals, type Growth } from '../functions/bounded-functions.js';
import { QueryFault, quoted, type SourcePosition } from '../fault.js';
import { type CallExpression, type NameExpression, type Query, type TextLiteral } from '../tree.js';

/**
 * Messages for the engine's error codes about values and types, because its own messages name tables and columns as the
 * compiler renamed them.
 */
const meanings: Readonly<Record<string, string>> = {
  '6': 'A text cannot be read as the type that is needed: use toFloat, toInt or a function that ends with OrNull',
  '27': 'A text cannot be read as the type that is needed: use a function that ends with OrNull',
  '34': 'has too many arguments',
  '35': 'has too few arguments',
  '36': 'has an argument that is not possible here',
  '38': 'A text is not a date, such as 2024-03-01',
  '41': 'A text is not a date that exists, such as 2024-03-01 or 2024-03-01 10:00:00',
  '42': 'has another number of arguments than it needs',
  '43': 'has an argument of a type that it does not accept: use toFloat, toInt, toString or toDate',
  '44': 'has an argument that must be a plain value',
  '48': 'This is not possible',
  '49': 'This is not possible',
  '53': 'Two values have types that do not fit: use toFloat, toInt, toString or toDate',
  '69': 'has a number beyond its bounds',
  '70': 'A value cannot be converted to the type: use toFloat, toInt or a function that ends with OrNull',
  '72': 'A text is not a number: use toFloat or toInt',
  '117': 'A text has another form than is needed',
  '125': 'A SELECT in brackets has another number of columns or rows than is needed',
  '128': 'A list is too long',
  '131': 'A text is too long',
  '153': 'A number is divided by zero',
  '184': 'An aggregate is inside of another one, or where it is not allowed: use a sub-query',
  '190': 'has lists of different lengths',
  '215': 'A column is neither in GROUP BY nor inside of an aggregate: add it to GROUP BY, or use any(column)',
  '321': 'A value that is NULL is not possible here: use ifNull',
  '349': 'A value that is NULL cannot have this type: use Nullable(…) or ifNull',
  '376': 'A text is not a UUID',
  '386': 'Values have no type in common: use toFloat or toString',
  '403': 'The condition of a join needs an equation between columns of both tables',
  '407': 'A number is too large for its type',
  '467': 'A text is not a boolean: use true or false',
};

/** Codes whose meaning is a predicate: the function that the engine's message names becomes its subject. */
const aboutFunctions = new Set(['34', '35', '36', '42', '43', '44', '69', '190']);

/** Codes of values that cannot be converted. */
const conversions = new Set(['6', '27', '38', '41', '70', '72', '376', '407', '467']);

const notGrouped = '215';

/** The code of `throwIf`: only our own checks of bounded functions throw it, with the name of the function and its growth. */
const tooManySteps = '395';

const unnamed = 'This cannot be computed';

const advice: Readonly<Record<Expense, string>> = {
  time: 'The question took too long: narrow the timestamps in WHERE, or read fewer events',
  memory: 'The question needs too much memory: group by something with fewer values, or narrow the timestamps in WHERE',
  rows: 'The question reads or returns too many rows: narrow the timestamps in WHERE, or lower the LIMIT',
  complexity: 'The question is too complex: name fewer sub-queries, aliases and values in it',
};

/** The purpose of a statement: an answer, an explanation or the members of a cohort. */
export type StatementKind = 'question' | 'explain' | 'members';

/**
 * Translates the engine's errors about questions. An error without an entry in `meanings` is answered in general words; its
 * code is counted and logged, so that a meaning can be added, but neither the question nor the engine's message is logged.
 */
@Injectable()
export class EngineFaults {
  constructor(
    private readonly metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Translates an error about the question, thrown by the engine or by our code around it; other errors are returned unchanged.
   */
  problemOf(error: unknown, query: Query, attr: string, statement: StatementKind): unknown {
    if (error instanceof QueryTooExpensive) return problemAt(query.at, 'too_expensive', advice[error.reason], attr);
    if (error instanceof InvalidRegex) return problemAt(query.at, 'invalid_input', error.message, attr);
    if (error instanceof Problem) return error;
    if (error instanceof QueryFault) return problemAt(error.at, error.kind, error.detail, attr);
    const code = engineCode(error);
    if (code === null) return error;
    const bounded = code === tooManySteps ? boundedIn((error as Error).message, query) : null;
    if (bounded) return problemAt(bounded.at, bounded.kind, bounded.detail, attr);
    if (meanings[code] === undefined) {
      this.metrics.unexplainedEngineErrors.inc({ code, statement });
      this.logger.warn({ code, statement }, 'The engine refused a question in SQL for a reason without a message');
    }
    const fault = faultOfEngine(code, (error as Error).message, query);
    return problemAt(fault.at, fault.kind, fault.detail, attr);
  }
}

/** A 400 that names the position in the text of the question. */
export const problemAt = ({ line, column }: SourcePosition, code: ProblemCode, detail: string, attr: string): Problem =>
  new Problem(400, 'validation_error', code, `Line ${line}, column ${column}: ${detail}`, attr, {}, { line, column });

const faultOfEngine = (code: string, message: string, query: Query): QueryFault => {
  const meaning = meanings[code] ?? unnamed;
  const ungrouped = code === notGrouped ? ungroupedIn(message, query) : null;
  if (ungrouped) {
    const name = quoted(ungrouped.parts.map(({ text }) => text).join('.'));
    const detail = `${name} is neither in GROUP BY nor inside of an aggregate: add it to GROUP BY, or use any(${name})`;
    return new QueryFault(detail, ungrouped.at);
  }
  const call = callIn(message, query);
  if (aboutFunctions.has(code))
    return new QueryFault(`${call ? call.name.text : 'A function or an operator'} ${meaning}`, call?.at ?? query.at);
  const literal = textIn(message, query);
  if (literal) return new QueryFault(meaning.replace(/^A text /, `'${quoted(literal.value)}' `), literal.at);
  return new QueryFault(meaning, (call ?? (conversions.has(code) ? castIn(query) : null) ?? query).at);
};

const boundedIn = (message: string, query: Query): QueryFault | null => {
  const ours = message.split('DB::Exception: ').at(-1) ?? '';
  const [name = '', growth = ''] = ours.split(/[ :]/, 2);
  if (!Object.hasOwn(stepRefusals, growth)) return null;
  const at = callIn(`function ${name}`, query)?.at ?? query.at;
  return new QueryFault(`${name} ${stepRefusals[growth as Growth]}`, at, 'too_expensive');
};

/** The call of a function that the message of the engine names. */
const callIn = (message: string, query: Query): CallExpression | null => {
  const named = [...message.matchAll(/(?:[Ff]unction|[Aa]ggregate function) [`']?([A-Za-z_]\w*)/g)].map(
    ([, name = '']) => name.toLowerCase(),
  );
  const calls: CallExpression[] = [];
  walk(query, (node) => {
    if (node.kind === 'call') calls.push(node as unknown as CallExpression);
    return true;
  });
  const isMeant = ({ name }: CallExpression) =>
    named.some((one) => one === name.text.toLowerCase() || one === `_${name.text.toLowerCase()}`);
  const isBounded = ({ name }: CallExpression) => boundsOf(name.text).length > 0;
  // Our checks call `length` on the arguments of a bounded function, so an error about `length` is about that function.
  return calls.find(isMeant) ?? (named.includes('length') ? (calls.find(isBounded) ?? null) : null);
};

/** The first cast in the question: the engine's message has no name for a conversion that is written as a cast. */
const castIn = (query: Query): { readonly at: SourcePosition } | null => {
  const casts: SourcePosition[] = [];
  walk(query, (node) => {
    if (node.kind === 'cast') casts.push(node.at as SourcePosition);
    return true;
  });
  const [at] = casts.sort((a, b) => a.line - b.line || a.column - b.column);
  return at ? { at } : null;
};

/** The literal of the question that the engine could not read. */
const textIn = (message: string, query: Query): TextLiteral | null => {
  const texts: TextLiteral[] = [];
  walk(query, (node) => {
    if (node.kind === 'text') texts.push(node as unknown as TextLiteral);
    return true;
  });
  return texts.find(({ value }) => value !== '' && message.includes(`'${quoted(value)}'`)) ?? null;
};

/**
 * The most levels of sub-queries that are followed, because each one searches the engine's message, which quotes the whole
 * statement, from its beginning.
 */
const maxNested = 20;

/**
 * Finds the column of the question that is not grouped. The engine names it as the statement does, such as `t1.c4`, and quotes
 * the statement, in which `e.timestamp AS c4` tells the column of the question.
 */
const ungroupedIn = (message: string, query: Query): NameExpression | null => {
  let [, name] = /^Column '\w+\.(\w+)' is not under aggregate/.exec(message) ?? [];
  let meant = '';
  for (let depth = 0; name !== undefined && depth < maxNested; depth += 1) {
    const [before = ''] = message.split(` AS ${name}`, 1);
    meant = before.split(/SELECT | AS \w+,/).at(-1) ?? '';
    // A column such as `t1.c4` comes from a sub-query, so the search goes on with `c4` in that sub-query.
    [, name] = /^ *t\d+\.(c\d+)$/.exec(meant) ?? [];
  }
  const names: NameExpression[] = [];
  walk(query, (node) => {
    if (node.kind === 'name') names.push(node as unknown as NameExpression);
    return true;
  });
  const words = new Set(meant.match(/\w+/g));
  const [first] = names
    .filter(({ parts }) => words.has(parts.at(-1)?.text ?? ''))
    .sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
  return first ?? null;
};
