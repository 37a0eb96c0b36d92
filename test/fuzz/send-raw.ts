import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FuzzRequest } from './draft.js';
import { isEventStream, type Answer, type Outcome } from './send.js';
import { unpackedText } from './unpacked.js';

const patienceMs = 60_000;
/** A connection that stays open after its answers has nothing more to say. */
const quietMs = 250;

/** Writes the pieces of the request to a connection of its own and reads the answers until it is closed or quiet. */
export const sendRaw = async (url: URL, request: FuzzRequest): Promise<Outcome> => {
  const socket = connect(Number(url.port), url.hostname);
  const received: Buffer[] = [];
  let error: string | null = null;
  let closed = false;
  socket.on('data', (bytes) => received.push(bytes));
  socket.on('error', (cause) => (error = cause.message));
  socket.on('close', () => (closed = true));
  await writePieces(socket, request, () => closed);
  const answers = await readAnswers(received, () => closed || request.abandoned);
  socket.destroy();
  return answers.length > 0 ? { answers } : { error: error ?? 'the connection closed without an answer' };
};

const writePieces = async (socket: Socket, { pieces = [] }: FuzzRequest, closed: () => boolean): Promise<void> => {
  for (const { bytes, thenWaitMs } of pieces) {
    if (closed()) return;
    socket.write(bytes);
    if (thenWaitMs > 0) await sleep(thenWaitMs);
  }
};

const readAnswers = async (received: readonly Buffer[], isOver: () => boolean): Promise<Answer[]> => {
  const until = Date.now() + patienceMs;
  for (let seen = 0; ; seen = received.length) {
    const answers = parseAnswers(Buffer.concat(received));
    const isQuiet = answers.length > 0 && received.length === seen;
    if (isQuiet || isOver() || Date.now() > until) return answers;
    await sleep(quietMs);
  }
};

/** As many whole answers as the bytes hold; interim ones (100) are left out. */
export const parseAnswers = (bytes: Buffer): Answer[] => {
  const answers: Answer[] = [];
  for (let rest = bytes; rest.length > 0;) {
    const end = rest.indexOf('\r\n\r\n');
    const status = /^HTTP\/1\.[01] (\d{3})/.exec(rest.subarray(0, 20).toString('latin1'));
    if (end < 0 || !status) break;
    const lines = rest.subarray(0, end).toString('latin1').split('\r\n').slice(1);
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const found = bodyAt(rest.subarray(end + 4), headers);
    if (!found) break;
    const text = unpackedText(found.body, headers['content-encoding']);
    if (Number(status[1]) >= 200) answers.push({ status: Number(status[1]), headers, text });
    rest = rest.subarray(end + 4 + found.length);
  }
  return answers;
};

const bodyAt = (bytes: Buffer, headers: Record<string, string>): { body: Buffer; length: number } | null => {
  // It has no end: what has come is the answer.
  if (isEventStream(headers['content-type'])) return { body: bytes, length: bytes.length };
  if (headers['transfer-encoding'] === 'chunked') return chunksAt(bytes);
  const length = Number(headers['content-length'] ?? (headers.connection === 'close' ? bytes.length : 0));
  return bytes.length < length ? null : { body: bytes.subarray(0, length), length };
};

const chunksAt = (bytes: Buffer): { body: Buffer; length: number } | null => {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return null;
    const size = parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const begin = lineEnd + 2;
    if (Number.isNaN(size) || bytes.length < begin + size + 2) return null;
    if (size === 0) return { body: Buffer.concat(parts), length: begin + 2 };
    parts.push(bytes.subarray(begin, begin + size));
    at = begin + size + 2;
  }
};
