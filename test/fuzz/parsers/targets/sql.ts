import { check } from '../../../../src/sql/check/check.js';
import { compileQuestion } from '../../../../src/sql/compile/query.sql.js';
import { namesInQuery } from '../../../../src/sql/ask/names-in-query.js';
import { QueryParser } from '../../../../src/sql/parse/parser.js';
import { SqlStatement } from '../../../../src/sql/statement.js';
import { compile } from '../../../../src/platform/clickhouse/sql.js';
import { askingScope } from '../../../query/compiled-question.js';
import { acceptedBy, acceptedLater, demand, type ParserTarget } from '../target.js';

const values = { a: 1, b: 'text', c: [1, 2], d: null, e: true };
let parser: QueryParser | null = null;

/** A question is refused at a place in its text, or compiles to a statement whose texts are all bound or our own. */
const target: ParserTarget = {
  maxBytes: 1024,
  words: [
    ...[
      'select ',
      ' from ',
      'events',
      'persons',
      'cohorts',
      'sessions',
      'cohort_people',
      'person_distinct_ids',
      ' where ',
    ],
    ...[' group by ', ' order by ', ' having ', ' limit ', ' offset ', ' limit 1 by ', ' join ', ' left join ', ' on '],
    ...[
      ' union all ',
      ' intersect ',
      'with ',
      ' as ',
      'distinct ',
      'count()',
      'uniq(',
      'toDate(',
      'now()',
      'interval 1 day',
    ],
    ...[
      'timestamp',
      'event',
      'properties.$a',
      'person.properties.b',
      'distinct_id',
      ' in (',
      ' between ',
      ' and ',
      ' or ',
    ],
    ...[
      ' is null',
      'case when ',
      ' then ',
      ' else ',
      ' end',
      ' over (partition by ',
      'rows between unbounded preceding',
    ],
    ...[
      'arrayMap(x -> ',
      'arrayJoin(',
      '[1, 2]',
      '{a}',
      '{b}',
      "'text'",
      '`a`',
      '/* */',
      '--',
      'quantile(0.5)(',
      '::',
      '*',
    ],
    ...[
      'sum(',
      'countIf(',
      'toStartOfDay(',
      'matches action ',
      'in cohort ',
      'settings ',
      'format ',
      'exists (',
      'not ',
    ],
  ],
  run: async (input) => {
    parser ??= await QueryParser.open();
    const reader = parser;
    const parsed = await acceptedLater(() =>
      reader.parse(input.toString('utf8')).catch((error: Error) => {
        // A thread is ended for what takes the parser long; the limits of the tokens prevent that it runs out of stack.
        demand(!/nested too deeply/.test(error.message), 'the parser does not run out of stack');
        throw error;
      }),
    );
    if (parsed === null) return;
    const query = acceptedBy(() => check(parsed, values));
    if (query === null) return;
    namesInQuery(query);
    const compiled = acceptedBy(() =>
      compile(compileQuestion(query, { limit: 101, offset: 0 }, new SqlStatement(askingScope)).sql),
    );
    if (compiled) demand(/^\s*(?:\(|SELECT|WITH)/.test(compiled.query), 'a question is a SELECT');
  },
};

export default target;
