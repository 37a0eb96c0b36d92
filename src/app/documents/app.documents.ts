import { type OpenAPIObject } from '@nestjs/swagger';
import { Marked, type Tokens } from 'marked';
import { documentsBase, guidePath, guides, referencePath, references, tags } from './app.guides.js';
import { originOf } from '../../platform/http/origin.js';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { type NextFunction, type Request, type Response } from 'express';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { deliveredPath } from '../../platform/config/version.js';
import { escapedHtml } from '../../platform/values/html.js';

const style = `
:root { color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; }
body { max-width: 60rem; margin: 0 auto; padding: 1rem 1.25rem 4rem; overflow-wrap: break-word; }
nav [aria-current] { font-weight: 700; }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding-bottom: .75rem; border-bottom: 1px solid #8884; font-size: .9rem; }
pre, code { font: .875em/1.5 ui-monospace, monospace; background: #8881; border-radius: 4px; }
code { padding: .1em .25em; }
pre { padding: .75rem; overflow-x: auto; }
pre code { padding: 0; background: none; font-size: 1em; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: .35rem .6rem; border: 1px solid #8884; text-align: left; vertical-align: top; }`;

/** The anchor of a heading, made by the rule of GitHub. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const navigation = [
  ['Kohort', '/'],
  ['API', '/docs'],
  ...Object.entries(guides).map(([title, name]) => [title, guidePath(name)]),
  ...Object.entries(references).map(([title, name]) => [title, `${documentsBase}${name}.md`]),
];

const navigationAt = (current: string): string =>
  navigation
    .map(([title, path]) => `<a href="${path}"${path === current ? ' aria-current="page"' : ''}>${title}</a>`)
    .join('');

/** Renders a document as HTML. Links to files that are not served become text. */
const documentPage = (markdown: string, current: string, isServed: (link: string) => boolean): string => {
  const anchors = new Map<string, number>();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const anchor = anchorOf(text);
        const earlier = anchors.get(anchor) ?? 0;
        anchors.set(anchor, earlier + 1);
        const id = earlier === 0 ? anchor : `${anchor}-${earlier}`;
        return `<h${depth} id="${escapedHtml(id)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const text = this.parser.parseInline(tokens);
        const path = href.split('#')[0] ?? '';
        const leads = path === '' || /^https?:/.test(path) || isServed(path);
        return leads ? `<a href="${escapedHtml(href)}">${text}</a>` : text;
      },
    },
  });
  const title = /^# (.+)$/m.exec(markdown)?.[1] ?? 'Kohort';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedHtml(title)} · Kohort</title>
<style>${style}</style>
<nav>${navigationAt(current)}</nav>
<main>
${marked.parse(markdown, { async: false })}</main>
</html>
`;
};

const folder = deliveredPath('docs');
const served = /\.(?:md|sh|json|yml)$/;

const servedPaths = (): ReadonlySet<string> => {
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return new Set(files.filter((file) => served.test(file)).map((file) => documentsBase + file.replaceAll('\\', '/')));
};

const overviewPath = '/llms.txt';
const generatedPaths = new Set([overviewPath, referencePath(), ...tags.map(({ name }) => referencePath(name))]);

/** Addresses of other answers, with the Markdown for those that prefer it. */
const inMarkdown: Readonly<Record<string, string>> = {
  '/': overviewPath,
  '/docs': referencePath(),
  '/docs/': referencePath(),
  '/docs/guides': overviewPath,
};

const formOf = (request: Request): string => request.accepts(['text', 'html', 'text/markdown']) || 'text';

/**
 * Serves the documents as pages to browsers, and as Markdown to other clients: files that existed at the start, so that no path
 * of a request can lead elsewhere, and what is made of the API document.
 */
export const serveDocuments = (app: NestExpressApplication, openApi: () => OpenAPIObject): void => {
  const paths = new Set([...servedPaths(), ...generatedPaths]);
  const pages = new Map<string, string>();
  const pageOf = (path: string, text: string): string => {
    const page =
      pages.get(path) ?? documentPage(text, path, (link) => paths.has(posix.resolve(posix.dirname(path), link)));
    pages.set(path, page);
    return page;
  };
  let reference: Promise<ReadonlyMap<string, string>> | undefined;
  const generated = async (path: string, request: Request): Promise<string> => {
    if (path === overviewPath) return (await import('./app.llms.js')).overviewOf(originOf(request));
    // Making the pages takes 40 ms, and the API document stays the same as long as the process runs.
    reference ??= import('./app.reference.js').then(({ referencePages }) => referencePages(openApi()));
    return (await reference).get(path) ?? '';
  };
  const send = async (path: string, request: Request, response: Response): Promise<void> => {
    const text = generatedPaths.has(path)
      ? await generated(path, request)
      : await readFile(join(folder, path.slice(documentsBase.length)), 'utf8');
    const form = formOf(request);
    response.vary('Accept');
    if (path.endsWith('.md') && form === 'html') response.type('html').send(pageOf(path, text));
    else if (form === 'text/markdown') response.type('text/markdown; charset=utf-8').send(text);
    // Browsers show a text, whatever its name ends with; they would save another type.
    else response.type('text/plain; charset=utf-8').send(text);
  };
  app.use((request: Request, response: Response, next: NextFunction): void => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const instead = formOf(request) === 'text/markdown' ? inMarkdown[request.path] : undefined;
    if (!instead && /^\/docs\/guides\/?$/.test(request.path))
      return response.redirect(guidePath(guides['Sending events']));
    const path = instead ?? request.path;
    if (!paths.has(path)) return next();
    send(path, request, response).catch(next);
  });
};
