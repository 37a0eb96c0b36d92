import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { uuidv7 } from 'uuidv7';
import { problemText } from './problem.filter.js';
import { invalidInput, Problem, requestTimeout, tooLarge } from '../errors/problem.js';
import { type Logger } from '../telemetry/logger.js';

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
};

export const headersTooLarge = () =>
  new Problem(431, 'invalid_request', 'too_large', 'The path and the headers must not exceed 16 kB together');

const problems: Readonly<Record<string, () => Problem>> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () => tooLarge('The extensions of the chunks are too large'),
  ERR_HTTP_REQUEST_TIMEOUT: () => requestTimeout('The request did not arrive in time'),
};

const unreadable = () => invalidInput('The request is not valid HTTP/1.1');

/** Answers requests that the HTTP parser of Node refuses with the error body of all routes. */
export const answerParserErrors = (server: Server, logger: Logger): void => {
  // The first middleware answers a request without Host, because Node's own 400 has neither a body nor a request id.
  Object.assign(server, { requireHostHeader: false });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (canAnswer(socket)) answer(socket, (problems[error.code ?? ''] ?? unreadable)(), logger);
    else socket.destroy();
  });
  // Without a listener Node closes the connection and answers nothing.
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    if (canAnswer(socket))
      answer(socket, invalidInput('CONNECT is not supported: this service is not a proxy'), logger);
    else socket.destroy();
  });
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const problem = new Problem(417, 'invalid_request', 'invalid_input', 'Expect must be 100-continue', 'Expect');
    const { requestId, headers, body } = written(problem, logger);
    response.writeHead(problem.status, { ...headers, 'X-Request-Id': requestId });
    response.end(body);
  });
};

/** False once an answer has started, because its bytes would precede ours. */
const canAnswer = (socket: Socket): boolean => {
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: ServerResponse | null };
  return socket.writable && current?.headersSent !== true;
};

const answer = (socket: Socket, problem: Problem, logger: Logger): void => {
  const { requestId, headers, body } = written(problem, logger);
  const lines = Object.entries({ ...headers, 'X-Request-Id': requestId }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.write(
    `HTTP/1.1 ${problem.status} ${reasons[problem.status] ?? 'Bad Request'}\r\n${lines.join('')}\r\n${body}`,
  );
  socket.destroySoon();
};

const written = (problem: Problem, logger: Logger) => {
  const requestId = uuidv7();
  const body = problemText(problem, requestId);
  logger.info({ request_id: requestId, status: problem.status }, 'a request could not be read');
  const headers = {
    'Content-Type': 'application/problem+json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  return { requestId, headers, body };
};
