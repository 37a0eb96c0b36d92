import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { createHash } from 'node:crypto';
import { invalidInput, type Problem, required } from '../../platform/errors/problem.js';
import {
  confirmationMinutes,
  confirmationToken,
  confirmedBy,
  credentialOf,
  type Confirmed,
} from '../../kernel/access/confirmation.js';
import { unknownName } from '../../platform/errors/nearest-name.js';
import { contextOf } from '../../platform/http/request-context.js';
import { OwnRequests, type OwnAnswer, type OwnRequest } from '../own-requests.js';
import { type ApiDocument, type Argument, type Operation } from './api-document.js';
import { bounded } from './bounded-answer.js';
import { commonArguments, type OfferedOperation, type OfferedTool } from './definitions.js';
import { type PreviewPart } from './tool-table.js';

export type ToolArguments = Readonly<Record<string, unknown>>;

/** The answer to a tool call: JSON, or the refusal of the service with its suggestions. */
export interface ToolAnswer {
  readonly isError: boolean;
  readonly value: unknown;
}

/** The request of a tool call with its caller. */
export interface CallOf {
  readonly request: Request;
  readonly document: ApiDocument;
  readonly signal: AbortSignal;
}

/** A preview reads each of the named persons. */
const mostNamed = 20;

/** Answers tool calls by requests to the service itself. */
@Injectable()
export class ToolCalls {
  constructor(private readonly own: OwnRequests) {}

  async call(call: CallOf, tool: OfferedTool, given: ToolArguments): Promise<ToolAnswer> {
    const { choice, operation } = operationOf(tool, given);
    const sent = argumentsOf(tool, { choice, operation }, given);
    const request = requestOf(operation, sent, given);
    if (!choice.preview) return this.answered(call, tool, operation, sent, request);
    const { confirm } = given;
    const change = { credential: credentialOf(call.request), ...request, body: request.body };
    const { now } = contextOf(call.request);
    if (confirm === undefined) return this.preview(call, choice.preview, sent, change);
    if (typeof confirm !== 'string' || confirmedBy(confirm, change, now) === null)
      throw invalidInput(
        `confirm is not the token of a preview of this call within the last ${confirmationMinutes} minutes: call it without confirm first, and then again with the same arguments`,
        'confirm',
      );
    const once = createHash('sha256').update(confirm).digest('base64url');
    const confirmed = operation.hasIdempotencyKey ? { idempotencyKey: once, ...request } : request;
    return this.answered(call, tool, operation, sent, confirmed);
  }

  private async answered(
    call: CallOf,
    tool: OfferedTool,
    operation: Operation,
    sent: ToolArguments,
    own: OwnRequest,
  ): Promise<ToolAnswer> {
    const answer = await this.own.send(call.request, own, call.signal);
    if (answer.status >= 400) return refusalOf(answer);
    const { value, shown } = shownAnswer(answer, tool, operation, sent);
    const names = operation.arguments.map(({ name }) => name);
    if (shown === null || shown === sent.limit || !names.includes('cursor')) return { isError: false, value };
    // A cursor names the end of a page, so that a page that does not fit is read once more with the length that fits.
    const shorter = { ...sent, limit: shown };
    return this.answered(call, tool, operation, shorter, requestOf(operation, shorter, {}));
  }

  private async preview(
    call: CallOf,
    parts: readonly PreviewPart[],
    sent: ToolArguments,
    change: Confirmed,
  ): Promise<ToolAnswer> {
    const seen: Record<string, unknown[]> = {};
    for (const part of parts) {
      const value = sent[part.from];
      if (value === undefined) continue;
      const operation = call.document.operations.get(part.of);
      if (!operation) continue;
      const values = part.whole ? [value] : [value].flat();
      if (values.length > mostNamed)
        throw invalidInput(
          `${part.from} may name at most ${mostNamed} at a time here: the preview reads each`,
          part.from,
        );
      for (const one of values) {
        const project = sent.project_id === undefined ? {} : { project_id: sent.project_id };
        const limit = operation.arguments.some(({ name }) => name === 'limit') ? { limit: mostNamed } : {};
        const own = requestOf(operation, { ...project, ...limit, [part.to]: one }, {});
        const answer = await this.own.send(call.request, own, call.signal);
        // A key that may change a record need not have the scope to count what belongs to it.
        if (answer.status >= 400 && answer.status !== 403) return refusalOf(answer);
        const kept =
          answer.status === 403 ? { not_counted: detailOf(answer) } : keptOf(JSON.parse(answer.text), part.keeps);
        (seen[part.as] ??= []).push(kept);
      }
    }
    const value = {
      preview: bounded(seen).value,
      done: false,
      confirm: confirmationToken(change, { at: contextOf(call.request).now, count: 0 }),
      next: `Nothing has changed yet. To do it, repeat the call with the same arguments and this confirm within ${confirmationMinutes} minutes.`,
    };
    return { isError: false, value };
  }
}

const operationOf = (tool: OfferedTool, { operation: word }: ToolArguments): OfferedOperation => {
  const words = [...tool.offered.keys()];
  if (word === undefined && words.length > 1) throw required('operation', `one of ${words.join(', ')}`);
  const name = typeof word === 'string' ? word : word === undefined ? String(words[0]) : JSON.stringify(word);
  const found = tool.offered.get(name);
  if (found) return found;
  if (Object.hasOwn(tool.operations, name))
    throw invalidInput(
      `The API key lacks a scope for ${name} of ${tool.name}: it allows ${words.join(', ')}`,
      'operation',
    );
  throw invalidInput(unknownName(name, words).detail, 'operation');
};

const argumentsOf = (
  tool: OfferedTool,
  { choice, operation }: OfferedOperation,
  given: ToolArguments,
): ToolArguments => {
  const { fixed = {}, defaults = {} } = choice;
  const own = Object.entries(given).filter(
    ([name]) => name === 'project_id' || !commonArguments.some((one) => one === name),
  );
  const taken = own.find(([name]) => name in fixed);
  if (taken) throw invalidInput(`${taken[0]} is not an argument of this operation, which always sends it`, taken[0]);
  if (!tool.isDestructive && given.deleted === true)
    throw invalidInput('deleted cannot be set here: the tool delete_records deletes, after a preview', 'deleted');
  if ('confirm' in given && !choice.preview) throw invalidInput('confirm is for tools that delete or merge', 'confirm');
  if ('idempotency_key' in given && !operation.hasIdempotencyKey)
    throw invalidInput('idempotency_key is not needed here: the operation can be repeated', 'idempotency_key');
  return { ...defaults, ...Object.fromEntries(own), ...fixed };
};

const requestOf = (operation: Operation, sent: ToolArguments, given: ToolArguments): OwnRequest => {
  const known = new Map(operation.arguments.map((argument) => [argument.name, argument]));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, sent));
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(sent)) {
    const argument = known.get(name);
    // The route refuses names that it does not know, and suggests the nearest.
    const at = argument?.at ?? (operation.hasBody ? 'body' : 'query');
    if (at === 'body') body[name] = value;
    if (at === 'query') for (const text of textsOf(argument, value)) query.append(name, text);
    if (at === 'path' && !operation.path.includes(`{${name}}`)) query.append(name, String(value));
  }
  if (!known.has('project_id')) query.delete('project_id');
  const key = given.idempotency_key;
  if (key !== undefined && typeof key !== 'string')
    throw invalidInput('idempotency_key must be a text', 'idempotency_key');
  return {
    method: operation.method,
    path: query.size > 0 ? `${path}?${query.toString()}` : path,
    ...(operation.hasBody ? { body: JSON.stringify(body) } : {}),
    ...(key === undefined ? {} : { idempotencyKey: key }),
  };
};

const segmentOf = (name: string, sent: ToolArguments): string => {
  const value = name === 'project_id' ? (sent[name] ?? '@current') : sent[name];
  if (value === undefined || value === null || value === '') throw required(name);
  if (typeof value !== 'string' && typeof value !== 'number')
    throw invalidInput(`${name} must be a text or a number`, name);
  // Such a segment would lead to another route.
  if (/^\.{1,2}$/.test(String(value))) throw invalidInput(`${name} is not an id`, name);
  // Half of a character cannot be encoded.
  return encodeURIComponent(Buffer.from(String(value)).toString('utf8'));
};

const textsOf = (argument: Argument | undefined, value: unknown): string[] => {
  if (value === null || value === undefined) return [];
  const isRepeated = argument?.schema.type === 'array' && argument.schema.contentMediaType === undefined;
  if (Array.isArray(value) && isRepeated) return value.map(textOf);
  return [textOf(value)];
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

interface ProblemText {
  readonly detail?: string;
}

const detailOf = ({ text }: OwnAnswer): string => (JSON.parse(text) as ProblemText).detail ?? '';

const refusalOf = ({ status, text }: OwnAnswer): ToolAnswer => {
  try {
    return { isError: true, value: bounded(JSON.parse(text)).value };
  } catch {
    return { isError: true, value: { status, detail: 'The service refused the request without an explanation' } };
  }
};

/** The refusal of a call that no request was made for, in the form of the others. */
export const refusalBy = ({ type, code, detail, attr, status }: Problem): ToolAnswer => ({
  isError: true,
  value: { type, code, detail, attr, status },
});

type Json = Record<string, unknown>;

interface Shown {
  readonly value: unknown;
  /** The number of records that fit; null if all of them do. */
  readonly shown: number | null;
}

const shownAnswer = (
  { status, location, text }: OwnAnswer,
  tool: OfferedTool,
  operation: Operation,
  sent: ToolArguments,
): Shown => {
  if (text === '') return { value: { done: true, status, ...(location === null ? {} : { location }) }, shown: null };
  const { next, ...answer } = without(JSON.parse(text), new Set(['previous', ...tool.omits])) as Json;
  const { value, leftOut } = bounded(answer);
  if (typeof value !== 'object') return { value: { beginning: value, left_out: leftOut, how: narrower }, shown: null };
  const cut = leftOut.find(({ at }) => at === 'results');
  const nextPage = cut ? nextAfter(cut.shown, operation, sent) : pageOf(next, sent);
  const how = cut && nextPage ? 'Repeat the call with next_page.' : narrower;
  const more = {
    ...(nextPage ? { next_page: nextPage } : {}),
    ...(leftOut.length > 0 ? { left_out: leftOut, how } : {}),
  };
  return { value: { ...value, ...more }, shown: cut?.shown ?? null };
};

const narrower =
  'Ask a narrower question: a shorter range, fewer events, a filter, a smaller limit, or query_sql with the columns you need.';

/** The arguments of the next page, from the link to it. */
const pageOf = (next: unknown, sent: ToolArguments): Json | null => {
  if (typeof next !== 'string' || !URL.canParse(next)) return null;
  const { searchParams } = new URL(next);
  const names = searchParams.has('cursor') ? ['cursor'] : ['after', 'page', 'offset'];
  const changed = names.flatMap((name) => {
    const text = searchParams.get(name);
    return text === null || text === String(sent[name])
      ? []
      : [[name, name === 'offset' || name === 'page' ? Number(text) : text]];
  });
  return changed.length > 0 ? (Object.fromEntries(changed) as Json) : null;
};

/** The arguments for the records after those that fit into the answer. */
const nextAfter = (shown: number, operation: Operation, sent: ToolArguments): Json | null => {
  const hasOffset = operation.arguments.some(({ name }) => name === 'offset');
  return hasOffset && sent.cursor === undefined ? { offset: Number(sent.offset ?? 0) + shown } : null;
};

const without = (value: unknown, omitted: ReadonlySet<string>): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  // A list in a list is a row, whose values are those of the project.
  if (Array.isArray(value))
    return value.map((item: unknown) => (Array.isArray(item) ? (item as unknown) : without(item, omitted)));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]): [string, unknown][] =>
      omitted.has(key) ? [] : [[key, key === 'properties' ? (item as unknown) : without(item, omitted)]],
    ),
  );
};

/** The named keys of a record, or of each record of a list beside its count. */
const keptOf = (answer: unknown, keeps: readonly string[]): unknown => {
  const pick = (record: unknown): Json =>
    Object.fromEntries(Object.entries(record as Json).filter(([key]) => keeps.includes(key)));
  const { results } = answer as { readonly results?: readonly unknown[] };
  const records = results?.map(pick).filter((record) => Object.keys(record).length > 0) ?? [];
  return { ...pick(answer), ...(records.length > 0 ? { records } : {}) };
};
