import { Injectable } from '@nestjs/common';
import { Problem } from '../../common/errors/problem.js';
import { ProjectTokens } from '../../projects/project-tokens.js';
import { GroupCommit } from '../ingest/group-commit.js';
import { normalise, type EventRejection, type NormalisedEvent } from '../normalise/normalise.js';
import { type CaptureReplyDto, type CaptureResultsDto, type ResultDto } from './capture.dto.js';
import { decode, type CaptureRequest, type DecodedCapture } from './decode.js';
import { badToken, type CaptureFailure } from './failure.js';

export interface CaptureOptions {
  readonly now: Date;
  /** Came by /engage, where an event without a name is `$identify`. */
  readonly engage: boolean;
}

@Injectable()
export class CaptureService {
  constructor(
    private readonly tokens: ProjectTokens,
    private readonly log: GroupCommit,
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
    const decoded = await decode(request);
    if (!decoded.ok) throw problemOf(decoded);
    const projectId = await this.tokens.find(decoded.token);
    if (projectId === null) throw problemOf(badToken('The project token is unknown', 'api_key'));
    const { events, rejected } = await judge(decoded, options);
    if (events.length === 0) throw allRejected(rejected);
    return { verdict: await this.log.add(projectId, events, options.now), events, rejected };
  }
}

/** So many take about a millisecond. Then others have their turn: above all the transactions whose answers have come. */
const eventsAtOnce = 100;

const judge = async ({ rawEvents, sentAt }: DecodedCapture, { now, engage }: CaptureOptions) => {
  const events: NormalisedEvent[] = [];
  const rejected: EventRejection[] = [];
  for (const [index, raw] of rawEvents.entries()) {
    if (index > 0 && index % eventsAtOnce === 0) await new Promise(setImmediate);
    const normalised = normalise(raw, { now, sentAt, index, engage });
    if (normalised.ok) events.push(normalised.event);
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
