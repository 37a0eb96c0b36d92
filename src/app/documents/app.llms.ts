import { readFileSync } from 'node:fs';
import { deliveredPath, serviceVersion } from '../../platform/config/version.js';
import { documentsBase, guidePath, guides, referencePath, references, skillPath, tags } from './app.guides.js';

const withoutLinks = (text: string): string => text.replace(/\s+/g, ' ').replace(/\*\*|\[([^[\]]*)\]\([^()]*\)/g, '$1');

/** The first sentence of a document that is delivered with the service, in plain text. */
const firstSentence = (path: string): string => {
  const [, paragraph = ''] = /^# .+\n\n([^]+?)\n\n/m.exec(readFileSync(deliveredPath(path.slice(1)), 'utf8')) ?? [];
  const text = withoutLinks(paragraph);
  return /^.*?\.(?= |$)/.exec(text)?.[0] ?? text;
};

/** The overview for programs that read: what the service is, and where its documents are (https://llmstxt.org). */
export const overviewOf = (origin: string): string => {
  const link = (title: string, path: string, about: string) => `- [${title}](${origin}${path}): ${about}`;
  const documents = (names: Readonly<Record<string, string>>, pathOf: (name: string) => string) =>
    Object.entries(names).map(([title, name]) => link(title, pathOf(name), firstSentence(pathOf(name))));
  return `# Kohort

> Self-hosted product analytics over HTTP: events of users become persons, persons belong to cohorts, and funnels, retention, trends, paths, lifecycle, stickiness and SQL answer questions about them. This is release ${serviceVersion()}.

- Base path: \`${origin}/api/projects/{project_id}\`. \`@current\` is the project of a key that opens only one.
- Authentication: \`Authorization: Bearer phx_…\`, a personal API key with scopes. Capture takes the token of a project, \`phc_…\`, in the body.
- Lists are \`{count, next, previous, results}\`, errors \`application/problem+json\` with \`code\`, \`detail\` and \`attr\`.
- Every document below is Markdown at its address, and an HTML page for browsers.

## Begin here

${link('Skill', skillPath, 'how to authenticate, send events and ask the main questions with curl')}
${link('API reference', referencePath(), 'every route in one list')}
${link('OpenAPI', '/openapi.json', 'the same for programs: parameters, types, examples, limits')}

## Guides

${documents(guides, guidePath).join('\n')}

## Reference

${tags.map(({ name, description }) => link(name, referencePath(name), withoutLinks(description))).join('\n')}

## Optional

${documents(references, (name) => `${documentsBase}${name}.md`).join('\n')}
`;
};
