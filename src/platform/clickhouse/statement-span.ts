import { type SpanStart } from '../telemetry/tracing.js';

const maxCharacters = 10_000;
const maxInLine = 2_000;

/** A statement, with placeholders in the place of values, as a line of the log shows it. */
export const lineOf = (text: () => string): string => text().replace(/\s+/g, ' ').trim().slice(0, maxInLine);

/** `text` has placeholders in the place of values. The time that the statement waits for its turn is part of the span. */
export const clickhouseSpan = (text: () => string) => (): SpanStart => {
  const statement = text().trim();
  const [operation = ''] = statement.split(/\s/, 1);
  return {
    name: operation.toUpperCase(),
    kind: 'client',
    attributes: {
      'db.system.name': 'clickhouse',
      'db.operation.name': operation.toUpperCase(),
      'db.query.text': statement.slice(0, maxCharacters),
    },
  };
};
