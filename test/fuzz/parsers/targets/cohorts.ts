import { NamedActions } from '../../../../src/filters/actions/action-lookup.js';
import { readJsonText } from '../../../../src/platform/values/json.js';
import { analysisSql } from '../../../../src/cohorts/definition/members.sql.js';
import { cohortsIn } from '../../../../src/cohorts/definition/definition.js';
import { readDefinition } from '../../../../src/cohorts/definition/read-definition.js';
import { compile } from '../../../../src/platform/clickhouse/sql.js';
import { askingScope } from '../../../query/compiled-question.js';
import { acceptedBy, demand, type ParserTarget } from '../target.js';

const { project, now } = askingScope;

/** A definition of a cohort is refused, or compiles to the statement that finds its members. */
const target: ParserTarget = {
  maxBytes: 2048,
  words: [
    ...[
      '"properties"',
      '"type"',
      '"values"',
      '"AND"',
      '"OR"',
      '"behavioral"',
      '"person"',
      '"cohort"',
      '"key"',
      '"value"',
    ],
    ...[
      '"performed_event"',
      '"performed_event_multiple"',
      '"performed_event_first_time"',
      '"performed_event_sequence"',
    ],
    ...['"performed_event_regularly"', '"stopped_performing_event"', '"restarted_performing_event"', '"negation"'],
    ...['"time_value"', '"time_interval"', '"day"', '"week"', '"seq_event"', '"seq_time_value"', '"seq_time_interval"'],
    ...[
      '"operator"',
      '"operator_value"',
      '"gte"',
      '"min_periods"',
      '"total_periods"',
      '"event_type"',
      '"events"',
      '"actions"',
    ],
    ...['"explicit_datetime"', '"-30d"', '"explicit_datetime_to"', '"event_filters"', '"seq_event_type"'],
  ],
  run: (input) => {
    const json = acceptedBy(() => readJsonText(input.toString('utf8'), 'filters'));
    if (json === null) return;
    const definition = acceptedBy(() => readDefinition(json, 'filters', new NamedActions()));
    if (definition === null) return;
    const cohorts = new Map(cohortsIn(definition).map((id) => [id, { version: 1, groupType: null }]));
    const scope = { project, now, overridden: true, cohorts, groupType: null };
    const compiled = acceptedBy(() => compile(analysisSql(definition, scope)));
    if (compiled) demand(compiled.query.includes('persons'), 'a definition selects persons');
  },
};

export default target;
