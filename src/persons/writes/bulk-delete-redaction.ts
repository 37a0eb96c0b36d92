import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { type ProjectContext } from '../../common/project-context.js';
import { type AnswerRedaction } from '../../idempotency/answer-redaction.js';
import { type BulkDeleteBody, type BulkDeleteReplyDto, type BulkDeleteResultDto } from './person-writes.dto.js';

interface RedactedBulkDelete {
  readonly deleted: number;
  readonly results: readonly Omit<BulkDeleteResultDto, 'given'>[];
}

/** Stores the answer without the input ids: a replayed request contains them in the same order. */
@Injectable()
export class BulkDeleteRedaction implements AnswerRedaction<BulkDeleteReplyDto, RedactedBulkDelete> {
  redact({ deleted, results }: BulkDeleteReplyDto): RedactedBulkDelete {
    return { deleted, results: results.map(({ given: _given, ...result }) => result) };
  }

  restore(
    { deleted, results }: RedactedBulkDelete,
    _project: ProjectContext,
    request: Request,
  ): Promise<BulkDeleteReplyDto> {
    const { ids, distinct_ids: distinctIds } = request.body as BulkDeleteBody;
    const inputs = (distinctIds ?? ids ?? []) as (string | number)[];
    return Promise.resolve({
      deleted,
      results: results.map((result, at) => ({ given: inputs[at] ?? '', ...result })),
    });
  }
}
