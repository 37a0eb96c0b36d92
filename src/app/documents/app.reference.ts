import { type OpenAPIObject } from '@nestjs/swagger';
import { referencePath } from './app.guides.js';

type Json = Readonly<Record<string, unknown>>;
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

interface Described {
  readonly name: string;
  readonly operation: Operation;
}

const listOf = (node: unknown): readonly unknown[] => (Array.isArray(node) ? (node as unknown[]) : []);
const objectOf = (node: unknown): Json => (typeof node === 'object' && node !== null ? (node as Json) : {});
const line = (text: unknown): string => (typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : '');
const named = (reference: unknown): string => String(reference).split('/').at(-1) ?? '';

/** The Markdown pages of the reference, by their paths: a list of all routes, and a page for each tag. */
export const referencePages = (document: OpenAPIObject): ReadonlyMap<string, string> => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Readonly<Record<string, Operation>>).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  const tags = (document.tags ?? []).map(({ name, description = '' }) => ({
    ...{ name, description },
    operations: operations.filter(({ operation }) => operation.tags?.includes(name)),
  }));
  const lists = tags.map(({ name, description, operations: own }) =>
    [
      `## ${name}\n\n${description} Parameters and shapes: [${name}](reference/${name.toLowerCase()}.md).\n`,
      ...own.map(({ name: route, operation }) => `- \`${route}\`: ${line(operation.summary)}`),
    ].join('\n'),
  );
  const index = `# API reference\n\n${line(document.info.description)}\n\n${lists.join('\n\n')}\n\n${problemsOf(document)}`;
  const pages = tags.map(({ name, description, operations: own }) => {
    const shapes = [...shapesOf(own, document)].sort().map((shape) => shapeText(shape, document));
    const routes = own.map((each) => operationText(each, document)).join('\n');
    const page = `# ${name}\n\n${description}\n\n${routes}${shapes.length > 0 ? `\n## Shapes\n\n${shapes.join('\n')}` : ''}`;
    return [referencePath(name), page] as const;
  });
  return new Map([[referencePath(), index], ...pages]);
};

const problemsOf = ({ components }: OpenAPIObject): string => {
  const problems = Object.entries(components?.responses ?? {}).flatMap(([name, response]) =>
    name.startsWith('Problem') ? [`- ${name.slice(7)}: ${line(objectOf(response).description)}`] : [],
  );
  return `## Errors\n\n${problems.join('\n')}\n`;
};

const operationText = ({ name, operation }: Described, document: OpenAPIObject): string => {
  const parameters = (operation.parameters ?? [])
    .map((parameter) =>
      '$ref' in parameter ? componentOf(document, 'parameters', parameter.$ref) : objectOf(parameter),
    )
    .map((parameter) =>
      fieldText(String(parameter.name), parameter, parameter.required === true, String(parameter.in)),
    );
  const { description = '', content } = objectOf(operation.requestBody);
  const bodies = contentText(content).map((text) => `\nBody: ${text} ${line(description)}\n`);
  const answers = Object.entries(operation.responses).flatMap(([status, response]) => {
    const { $ref, description: about, content: types } = objectOf(response);
    return typeof $ref === 'string'
      ? []
      : [`- ${status}: ${[...contentText(types), line(about)].filter(Boolean).join(' ')}`];
  });
  return [
    `## ${name}\n\n${line(operation.summary)}\n`,
    operation.description ? `${operation.description}\n` : '',
    parameters.length > 0 ? `Parameters:\n\n${parameters.join('\n')}\n` : '',
    ...bodies,
    `Answers:\n\n${answers.join('\n')}\n`,
  ]
    .filter(Boolean)
    .join('\n');
};

const contentText = (content: unknown): string[] =>
  Object.entries(objectOf(content)).map(([type, media]) => `${typeText(objectOf(media).schema)} as \`${type}\`.`);

const componentOf = ({ components }: OpenAPIObject, kind: string, reference: string): Json =>
  objectOf(objectOf(objectOf(components)[kind])[named(reference)]);

const fieldText = (name: string, field: Json, isRequired: boolean, where = ''): string => {
  const schema = objectOf(field.schema ?? field);
  const about = [typeText(schema), where, isRequired ? 'required' : ''].filter(Boolean).join(', ');
  const example = schema.example === undefined ? '' : ` For example \`${JSON.stringify(schema.example)}\`.`;
  return `- \`${name}\` (${about}): ${line(field.description ?? schema.description)}${example}`.replace(/: $/, '');
};

const typeText = (node: unknown): string => {
  const schema = objectOf(node);
  if (typeof schema.$ref === 'string') return `[${named(schema.$ref)}](#${named(schema.$ref).toLowerCase()})`;
  const choices = listOf(schema.anyOf ?? schema.oneOf ?? schema.allOf);
  if (choices.length > 0) return [...new Set(choices.map(typeText))].join(' or ');
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  if (schema.contentSchema !== undefined) return `${typeText(schema.contentSchema)} as JSON`;
  if (schema.type === 'array') return `list of ${typeText(schema.items)}`;
  const type = ([schema.type ?? 'anything'].flat() as string[]).join(' or ');
  const limitOf = (word: string, keys: readonly string[]): string[] =>
    keys.flatMap((key) => (typeof schema[key] === 'number' ? [`${word} ${schema[key]}`] : []));
  const limits = [
    ...limitOf('from', ['minimum', 'minLength', 'minItems']),
    ...limitOf('to', ['maximum', 'maxLength', 'maxItems']),
  ];
  return [type, ...limits].join(' ');
};

/** The names of the shapes that these operations use, and of those inside them. */
const shapesOf = (operations: readonly Described[], document: OpenAPIObject): ReadonlySet<string> => {
  const found = new Set<string>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as { readonly $ref?: unknown };
    if (typeof $ref === 'string' && $ref.includes('/schemas/') && !found.has(named($ref))) {
      found.add(named($ref));
      walk(componentOf(document, 'schemas', $ref));
    }
    Object.values(node).forEach(walk);
  };
  walk(operations.map(({ operation }) => operation));
  return found;
};

const shapeText = (name: string, document: OpenAPIObject): string => {
  const schema = componentOf(document, 'schemas', name);
  const required = listOf(schema.required);
  const fields = Object.entries(objectOf(schema.properties)).map(([field, property]) =>
    fieldText(field, objectOf(property), required.includes(field)),
  );
  const lines = fields.length > 0 ? fields : [typeText(schema)];
  return `### ${name}\n\n${[line(schema.description), lines.join('\n')].filter(Boolean).join('\n\n')}\n`;
};
