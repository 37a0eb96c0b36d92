import { type SpanStart } from '../telemetry/tracing.js';

const maxCharacters = 10_000;

/** The span of a statement. It contains no values, because the text has placeholders in their place. */
export const postgresSpan =
  (statement: string | { readonly text: string; readonly name?: string }) => (): SpanStart => {
    const { text, name } = typeof statement === 'string' ? { text: statement } : statement;
    const [operation = ''] = text.trim().split(/[\s;]/, 1);
    return {
      name: name ?? operation.toUpperCase(),
      kind: 'client',
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': operation.toUpperCase(),
        'db.query.text': text.trim().slice(0, maxCharacters),
      },
    };
  };
