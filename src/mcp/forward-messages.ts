import { createInterface } from 'node:readline';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly result?: { readonly protocolVersion?: string };
}

const refused = -32000;

/**
 * Forwards the messages of a program, one on each line of stdin, to the service, and writes the answers to stdout. It loads no
 * library of the protocol: a message and its answer stay as they are.
 */
export const forwardMessages = async (service: URL, key: string): Promise<void> => {
  /** The version that the first answer agrees on, which later requests name. */
  let version: string | undefined;
  const underWay = new Set<Promise<void>>();

  const forward = async (line: string): Promise<void> => {
    const { id, method } = parsed(line);
    const answer = await ask(line).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      process.stderr.write(`${reason}\n`);
      return id === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, error: { code: refused, message: reason } });
    });
    if (method === 'initialize') version = parsed(answer).result?.protocolVersion;
    if (answer !== '') process.stdout.write(`${answer}\n`);
  };

  const ask = async (body: string): Promise<string> => {
    const answer = await fetch(new URL('/mcp', service), {
      method: 'POST',
      body,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
      },
    }).catch(() => {
      throw new Error(`no service answers on ${service.origin}: start it first, or name another one by --url`);
    });
    const text = await answer.text();
    if (answer.ok) return text;
    const { detail } = parsed(text) as { readonly detail?: string };
    throw new Error(detail ?? `${service.origin} answered ${answer.status}`);
  };

  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    const one = forward(line).finally(() => underWay.delete(one));
    underWay.add(one);
    // Later messages name the version that the first answer has.
    if (version === undefined) await one;
  }
  await Promise.all(underWay);
};

/** Text that is no JSON is left to the service, which explains what is wrong with it. */
const parsed = (text: string): Message => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
};
