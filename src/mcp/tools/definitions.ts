import { firstMissing, type GrantedScope } from '../../kernel/access/scopes.js';
import { type ApiDocument, type Argument, type Operation, type ArgumentSchema } from './api-document.js';
import { tools, type Tool, type ToolOperation } from './tool-table.js';

/** A tool of a caller, with the operations that the caller's scopes allow. */
export interface OfferedTool extends Tool {
  readonly offered: ReadonlyMap<string, OfferedOperation>;
}

export interface OfferedOperation {
  readonly choice: ToolOperation;
  readonly operation: Operation;
}

export const toolsFor = (document: ApiDocument, scopes: readonly GrantedScope[]): OfferedTool[] =>
  tools.flatMap((tool) => {
    const offered = Object.entries(tool.operations).flatMap(([word, choice]): [string, OfferedOperation][] => {
      const operation = document.operations.get(choice.of);
      if (!operation || firstMissing(scopes, operation.scopes as readonly GrantedScope[]) !== null) return [];
      return [[word, { choice, operation }]];
    });
    return offered.length > 0 ? [{ ...tool, offered: new Map(offered) }] : [];
  });

/** The arguments that every tool has beside those of its operations. */
export const commonArguments = ['operation', 'project_id', 'confirm', 'idempotency_key'] as const;

const longestDescription = 110;

/** The first sentence, without Markdown: `describe` has the whole text. */
const brief = (text: string): string => {
  const [sentence = ''] = text.replaceAll('`', '').split(/(?<=[^.]\.) |\n/, 1);
  const plain = sentence.replace(/\.$/, '');
  if (plain.length <= longestDescription) return plain;
  return `${plain.slice(0, plain.lastIndexOf(' ', longestDescription))} …`;
};

const mostChoices = 8;

const shortSchema = ({ description, schema }: Argument): object => {
  const { enum: choices, type } = schema.contentSchema ?? schema;
  const about = brief(description);
  // Filters and other JSON text of a query string are sent as JSON.
  const isJson = schema.contentMediaType !== undefined || /\bJSON\b/.test(description);
  const kind = schema.contentSchema?.type ?? (isJson ? undefined : type);
  return {
    ...(kind === undefined ? {} : { type: kind }),
    ...(choices && choices.length <= mostChoices ? { enum: choices } : {}),
    ...(about === '' ? {} : { description: about }),
  };
};

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly annotations: object;
}

/** The definition of a tool: short, because a client sends all definitions with each question to its model. */
export const definitionOf = (tool: OfferedTool): ToolDefinition => {
  const operations = [...tool.offered.values()].map(({ operation }) => operation);
  const known = new Map(
    operations
      .flatMap((operation) => operation.arguments)
      .reverse()
      .map((argument) => [argument.name, argument]),
  );
  const shown = tool.shows.flatMap((name): [string, object][] => {
    const argument = known.get(name);
    return argument ? [[name, shortSchema(argument)]] : [];
  });
  const words = [...tool.offered.keys()];
  const only = words.length === 1 ? operations[0] : undefined;
  const required = only
    ? only.arguments.flatMap(({ name, isRequired }) => (isRequired && name !== 'project_id' ? [name] : []))
    : ['operation'];
  const { isReadOnly, isDestructive, isIdempotent } = tool;
  return {
    name: tool.name,
    description: isDestructive ? `${tool.about} The first call previews and gives a token for confirm.` : tool.about,
    inputSchema: {
      type: 'object',
      properties: {
        ...(only ? {} : { operation: { enum: words } }),
        ...Object.fromEntries(shown),
        ...(isDestructive ? { confirm: { type: 'string' } } : {}),
      },
      ...(required.length > 0 ? { required } : {}),
    },
    annotations: {
      ...(isReadOnly ? { readOnlyHint: true } : { destructiveHint: isDestructive, idempotentHint: isIdempotent }),
      openWorldHint: false,
    },
  };
};

/** The depth to which `describe` shows what an argument contains. */
const described = 4;
const maxDescribed = 12_000;

/** Everything that the document has about the arguments of an operation. */
export const describedOperation = (
  document: ApiDocument,
  { choice, operation }: OfferedOperation,
): Readonly<Record<string, unknown>> => {
  const schemaAt = (depth: number) =>
    Object.fromEntries(
      operation.arguments
        .filter(({ name }) => !(name in (choice.fixed ?? {})))
        .map(({ name, isRequired, description, schema }) => {
          const { description: own, contentMediaType, contentSchema, ...shape } = document.expanded(schema, depth);
          const form: ArgumentSchema = contentMediaType === undefined ? shape : (contentSchema ?? {});
          const about = description === '' ? own : description;
          return [
            name,
            { ...(isRequired ? { required: true } : {}), ...(about ? { description: about } : {}), ...form },
          ];
        }),
    );
  const depths = Array.from({ length: described }, (_, at) => described - at);
  const depth = depths.find((one) => JSON.stringify(schemaAt(one)).length <= maxDescribed) ?? 1;
  return {
    summary: operation.summary,
    request: `${operation.method} ${operation.path}`,
    about: operation.description,
    ...(choice.defaults ? { defaults: choice.defaults } : {}),
    ...(choice.fixed ? { fixed: choice.fixed } : {}),
    arguments: schemaAt(depth),
  };
};

const mostFound = 8;

/** Finds operations by words: those in names count most, then those in summaries and descriptions. */
export const searchedTools = (offered: readonly OfferedTool[], query: string): object[] => {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\d]{2,}/gu) ?? [])].slice(0, 20).map(stem);
  const scored = offered.flatMap((tool) =>
    [...tool.offered].map(([word, { operation }]) => {
      const { id, summary, description } = operation;
      const names = `${tool.name} ${word} ${id} ${operation.path}`.toLowerCase();
      const texts = `${tool.about} ${summary}`.toLowerCase();
      const rest = `${description} ${operation.arguments.map(({ name }) => name).join(' ')}`.toLowerCase();
      const score = words.reduce(
        (sum, one) => sum + (names.includes(one) ? 4 : texts.includes(one) ? 2 : rest.includes(one) ? 1 : 0),
        0,
      );
      return { score, found: { tool: tool.name, operation: word, summary } };
    }),
  );
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostFound)
    .map(({ found }) => found);
};

/** Without the ending of a plural, so that "funnels" finds the funnel. */
const stem = (word: string): string => (word.length > 3 ? word.replace(/s$/, '') : word);
