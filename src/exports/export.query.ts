import { invalidInput } from '../platform/errors/problem.js';
import { QueryParam } from '../platform/http/field-decorators.js';
import { isBigId, isUuid } from '../platform/values/ids.js';
import { type Field } from '../platform/fields/declaration.js';
import { field } from '../platform/fields/field.js';
import { exportFormats, type ExportFormat } from './files/formats.js';
import { timeBoundField } from '../platform/fields/time-bound.js';

const cursorParam = (
  description: string,
  example: string,
  { isCursor, kind }: { readonly isCursor: (text: string) => boolean; readonly kind: string },
): Field<string | undefined> => ({
  description,
  schema: { type: 'string' },
  example,
  read: (value, attr) => {
    if (value === undefined) return undefined;
    if (typeof value === 'string' && isCursor(value)) return value.toLowerCase();
    throw invalidInput(`${attr} must be ${kind}`, attr);
  },
});

/** The parameters of all exports. */
class ExportQuery {
  @QueryParam(
    field.choice(exportFormats, {
      description:
        'ndjson: lines that `import` reads, as they are stored. csv and parquet: written by ClickHouse, with `properties` as one JSON text.',
      fallback: 'ndjson',
    }),
  )
  format: ExportFormat = 'ndjson';

  @QueryParam(
    field.integer({
      min: 1,
      max: 1_000_000_000,
      description:
        'The number of records; without it, all. A Parquet file has at most 100,000 events or groups, or 10,000 persons: a `Link` header with `rel="next"` names the next file.',
      example: 1000,
    }),
  )
  limit?: number;
}

export class ExportEventsQuery extends ExportQuery {
  @QueryParam(timeBoundField('Events later than this.', '2026-01-01T00:00:00Z'))
  after?: string;

  @QueryParam(timeBoundField('Events earlier than this.', '2026-02-01T00:00:00Z'))
  before?: string;

  @QueryParam(
    cursorParam(
      'The `uuid` of the last event that was received completely, in the same format: the answer continues after it, a CSV without its header.',
      '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e',
      { isCursor: isUuid, kind: 'the uuid of the last event that was received' },
    ),
  )
  cursor?: string;
}

export class ExportPersonsQuery extends ExportQuery {
  @QueryParam(timeBoundField('Persons created later than this.', '2026-01-01T00:00:00Z'))
  after?: string;

  @QueryParam(timeBoundField('Persons created earlier than this.', '2026-02-01T00:00:00Z'))
  before?: string;

  @QueryParam(
    cursorParam(
      'The `id` of the last person that was received completely: the answer continues after it, a CSV without its header. Of NDJSON, the last line that has an `id`.',
      '41',
      { isCursor: isBigId, kind: 'the id of the last person that was received' },
    ),
  )
  cursor?: string;
}

export class ExportGroupsQuery extends ExportQuery {
  @QueryParam(timeBoundField('Groups created later than this.', '2026-01-01T00:00:00Z'))
  after?: string;

  @QueryParam(timeBoundField('Groups created earlier than this.', '2026-02-01T00:00:00Z'))
  before?: string;

  @QueryParam(
    cursorParam(
      'The `id` of the last group that was received completely: the answer continues after it, a CSV without its header.',
      '3',
      { isCursor: isBigId, kind: 'the id of the last group that was received' },
    ),
  )
  cursor?: string;
}
