import { Controller, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiConsumes,
  ApiOkResponse,
  ApiOperation,
  ApiProperty,
  ApiTags,
} from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentAuthor, CurrentProject, RequiresScope } from '../../kernel/access/access.js';
import { parseError, unsupportedMediaType } from '../../platform/errors/problem.js';
import { type Author } from '../../kernel/access/author.js';
import { RawBody } from '../../platform/http/body-limit.js';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { bodyOf } from '../../platform/http/raw-body.js';
import { watchAdmission } from '../../platform/http/watch-admission.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { IdempotentStream } from '../../kernel/idempotency/idempotent.js';
import { isKeyed, storeAnswer, keyNameOf, withDigest } from '../../kernel/idempotency/keyed-answers.js';
import { field } from '../../platform/fields/field.js';
import { drained, unpacked } from './import-stream.js';
import { type ImportCounts, type ImportRefusal } from './import-run.js';
import { uuidOfLines } from './line-uuid.js';
import { ImportService } from './import.service.js';
import { ImportJobs } from './jobs/import-jobs.js';
import { ImportCountsDto, ImportJobDto, ImportRefusalDto } from './jobs/job.dto.js';
import { maxStoredBytes, maxUnfinishedOfProject } from './jobs/receive.js';

/** This many rejections are buffered before the response starts: until then, a failure can still set its own status. */
const bufferedRefusals = 1000;

/** The response lists at most this many rejections; more of them are only counted. */
const listedRefusals = 10_000;

class ImportQuery {
  @QueryParam(field.boolean({ description: 'false: event lines do not change properties of persons.', fallback: true }))
  apply_person_properties: boolean = true;

  @QueryParam(
    field.boolean({ description: 'false: events of unknown distinct ids do not create persons.', fallback: true }),
  )
  create_persons: boolean = true;

  @QueryParam(
    field.choice(['0'], {
      description:
        '0: the body is stored, and the answer is 202 with an import that goes on in the background; `GET import/{id}` tells its ' +
        `progress. Such an import takes at most ${maxStoredBytes / 1024 ** 3} GB, packed, and a project has at most ` +
        `${maxUnfinishedOfProject} of them unfinished. Without it the answer comes when all lines are stored.`,
    }),
  )
  wait: '0' | null = null;
}

class ImportReplyDto extends ImportCountsDto {
  @ApiProperty({
    type: [ImportRefusalDto],
    description: `Rejected lines with their reasons: the first ${listedRefusals.toLocaleString('en')} of them.`,
    example: [],
  })
  rejected: ImportRefusalDto[];
}

@ApiTags('Events')
@Controller('api/projects/:project_id/import')
export class ImportController {
  constructor(
    private readonly imports: ImportService,
    private readonly jobs: ImportJobs,
  ) {}

  @Post()
  @HttpCode(200)
  @RequiresScope('person:write', 'project:write')
  @RawBody()
  @IdempotentStream(
    'A repeated import gets the stored reply after its body was read to the end; reasons that name a person are not stored.',
  )
  @ApiConsumes('application/x-ndjson')
  @ApiBody({
    description:
      'Persons and events, one per line, each of at most 1 MB and 10,000 values. Streamed, of any size; repeating it ' +
      'changes nothing. A project has one import at a time. A client that sends nothing for 30 s is disconnected.',
    schema: {
      type: 'string',
      example:
        '{"type":"person","distinct_ids":["ada","ada-2"],"properties":{"email":"ada@example.test"},"created_at":"2024-01-01T00:00:00Z","is_identified":true}\n' +
        '{"type":"event","event":"signed up","distinct_id":"ada","timestamp":"2024-01-02T10:00:00Z","uuid":"0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e","properties":{"plan":"pro"}}\n',
    },
  })
  @ApiOperation({ operationId: 'importRecords', summary: 'Load persons and events as NDJSON' })
  @ApiOkResponse({ type: ImportReplyDto })
  @ApiAcceptedResponse({
    type: ImportJobDto,
    description: 'With wait=0.',
    headers: { Location: { description: 'The address of the import.', schema: { type: 'string' } } },
  })
  async import(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Query() query: ImportQuery,
    @CurrentAuthor() author: Author,
  ): Promise<void> {
    const stopLooking = watchAdmission(request, () => response.destroy());
    try {
      await this.receive(request, response, project, query, author);
    } finally {
      stopLooking();
    }
  }

  private async receive(
    request: Request,
    response: Response,
    project: ProjectContext,
    query: ImportQuery,
    author: Author,
  ): Promise<void> {
    const options = {
      applyPersonProperties: query.apply_person_properties,
      createPersons: query.create_persons,
    };
    if (query.wait !== null) {
      const job = await this.jobs.receive(project, bytesOf(request), options, author);
      response.status(202).location(`/api/projects/${project.id}/import/${job.id}`);
      await storeAnswer(request, job);
      response.json(job);
      return;
    }
    const reading = { ...options, uuidOf: uuidOfLines(keyNameOf(request)) };
    const counts: ImportCounts = { persons: 0, events: 0, duplicates: 0 };
    const reply = new RefusalStream(response);
    const stored = isKeyed(request) ? new StoredRefusals() : null;
    let rejected = 0;
    try {
      for await (const refusals of this.imports.run(project.id, bytesOf(request), reading, counts, author.now)) {
        rejected += refusals.length;
        stored?.add(refusals);
        await reply.add(refusals);
      }
    } finally {
      await this.imports.record(project, counts, rejected, author);
    }
    await storeAnswer(request, { rejected: stored?.listed, rejected_count: rejected, ...counts });
    reply.end(counts);
  }
}

const bytesOf = (request: Request): AsyncIterable<Buffer> => {
  if (!request.is(['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines'])) {
    const hint = request.is('text/csv')
      ? '; CSV cannot be imported'
      : ', and with Content-Encoding: gzip when it is packed';
    throw unsupportedMediaType(`Send NDJSON, one JSON object a line, as Content-Type: application/x-ndjson${hint}`);
  }
  const sent = withDigest(request, bodyOf(request));
  return request.get('content-encoding') === 'gzip' ? unpacked(sent) : notPacked(sent);
};

async function* notPacked(sent: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const bytes of sent) {
    // The magic number of gzip, which no JSON starts with.
    if (isFirst && bytes[0] === 0x1f && bytes[1] === 0x8b)
      throw parseError('The body is packed by gzip: send Content-Encoding: gzip with it');
    isFirst = false;
    yield bytes;
  }
}

/**
 * The rejections as stored for a repeated request, without the reasons of conflicts, which name persons that may be deleted while
 * the request is remembered.
 */
class StoredRefusals {
  readonly listed: ImportRefusal[] = [];

  add(refusals: readonly ImportRefusal[]): void {
    for (const { line, code, detail } of refusals.slice(0, listedRefusals - this.listed.length)) {
      this.listed.push({
        line,
        code,
        detail: code === 'conflict' ? 'the reason was in the first answer only' : detail,
      });
    }
  }
}

/** Writes the response to an import of any size, with a limited number of rejections in memory. */
class RefusalStream {
  private buffered: ImportRefusal[] = [];
  private hasStarted = false;
  private written = 0;
  private count = 0;

  constructor(private readonly response: Response) {}

  async add(refusals: readonly ImportRefusal[]): Promise<void> {
    const before = this.count;
    this.count += refusals.length;
    if (before < listedRefusals) this.buffered.push(...refusals.slice(0, listedRefusals - before));
    if (this.buffered.length <= bufferedRefusals || this.flush() || this.response.destroyed) return;
    await drained(this.response);
  }

  end({ persons, events, duplicates }: ImportCounts): void {
    this.flush();
    this.response.end(
      `],"rejected_count":${this.count},"persons":${persons},"events":${events},"duplicates":${duplicates}}`,
    );
  }

  private flush(): boolean {
    if (!this.hasStarted) this.response.status(200).type('application/json').write('{"rejected":[');
    this.hasStarted = true;
    const text = this.buffered.map((refusal) => `${this.written++ > 0 ? ',' : ''}${JSON.stringify(refusal)}`).join('');
    this.buffered = [];
    return text === '' || this.response.write(text);
  }
}
