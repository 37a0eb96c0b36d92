import { Injectable } from '@nestjs/common';
import { Problem } from '../../common/errors/problem.js';
import { OneAtATime } from '../../common/one-at-a-time.js';
import { ProjectTokens } from '../../projects/project-tokens.js';
import { GroupCommit } from '../ingest/group-commit.js';
import { loggable, type LoggableEvent } from '../ingest/loggable.js';
import { normalise, type EventRejection } from '../normalise/normalise.js';
import { CaptureRates } from './capture-rates.js';
import { type CaptureReplyDto, type CaptureResultsDto, type ResultDto } from './capture.dto.js';
import { decode, type CaptureRequest, type DecodedCapture } from './decode.js';
import { badToken, type CaptureFailure } from './failure.js';

export interface CaptureOptions {
  readonly now: Date;
  /** Came by /engage, where an event without a name is `$identify`. */
  readonly engage: boolean;
  /** Throws when the sender may not have unknown tokens looked up. */
  readonly beforeLookup: () => void;
}

/** What a parser makes of a body is several times its size: from here on it should be gone before the next is begun. */
const largeBytes = 16 * 1024;

@Injectable()
export class CaptureService {
  private readonly large = new OneAtATime();

  constructor(
    private readonly tokens: ProjectTokens,
    private readonly log: GroupCommit,
    private readonly rates: CaptureRates,
  ) {}

  /** Every event gets a verdict, and what is accepted is committed when this resolves. */
  async capture(request: CaptureRequest, options: CaptureOptions): Promise<CaptureReplyDto> {
    const { verdict, rejected } = await this.take(request, options);
    return { status: 1, ...verdict, rejected };
  }

  /** The same with a result by uuid, as the newest form of the SDKs reads it. */
  async captureWithResults(request: CaptureRequest, options: CaptureOptions): Promise<CaptureResultsDto> {
    const { verdict, events, rejected } = await this.take(request, options);
    const results = Object.fromEntries<ResultDto>([
      ...events.map(({ uuid }) => [uuid, { result: 'ok' }] as const),
      ...rejected.flatMap(({ uuid, detail }) =>
        uuid === null ? [] : [[uuid, { result: 'drop', details: detail }] as const],
      ),
    ]);
    return { status: 1, ...verdict, rejected, results };
  }

  private async take(request: CaptureRequest, options: CaptureOptions) {
    const isLarge = request.body.length > largeBytes;
    const { token, events, rejected } = await (isLarge
      ? this.large.run('body', () => read(request, options))
      : read(request, options));
    const projectId = await this.tokens.find(token, options.beforeLookup);
    if (projectId === null) throw problemOf(badToken('The project token is unknown', 'api_key'));
    this.rates.take(projectId, events.length + rejected.length);
    if (events.length === 0) throw allRejected(rejected);
    return { verdict: await this.log.add(projectId, events, options.now), events, rejected };
  }
}

/** So many take less than a millisecond. Then others have their turn: above all the transactions whose answers have come. */
const eventsAtOnce = 25;

const read = async (request: CaptureRequest, options: CaptureOptions) => {
  const decoded = await decode(request);
  if (!decoded.ok) throw problemOf(decoded);
  return { token: decoded.token, ...(await judge(decoded, options)) };
};

const judge = async ({ rawEvents, sentAt }: DecodedCapture, { now, engage }: CaptureOptions) => {
  const events: LoggableEvent[] = [];
  const rejected: EventRejection[] = [];
  for (let index = 0; index < rawEvents.length; index += 1) {
    if (index > 0 && index % eventsAtOnce === 0) await new Promise(setImmediate);
    const normalised = normalise(rawEvents[index], { now, sentAt, index, engage });
    if (normalised.ok) events.push(loggable(normalised.event));
    else rejected.push(normalised.rejection);
  }
  return { events, rejected };
};

const typeOf = { 400: 'validation_error', 401: 'authentication_error', 413: 'invalid_request' } as const;

const problemOf = ({ status, code, detail, attr }: CaptureFailure): Problem =>
  new Problem(status, typeOf[status], code, detail, attr);

const allRejected = (rejected: readonly EventRejection[]): Problem => {
  const [first] = rejected;
  return new Problem(
    400,
    typeOf[400],
    first?.code ?? 'invalid_input',
    `No event was accepted; the first was refused because ${first?.detail}`,
    first ? `batch.${first.index}` : null,
    {},
    { accepted: 0, duplicates: 0, rejected },
  );
};
