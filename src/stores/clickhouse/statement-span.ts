import { type SpanStart } from '../../common/tracing/tracing.js';

const maxCharacters = 10_000;

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
