import { ApiProperty } from '@nestjs/swagger';
import { field } from '../../platform/fields/field.js';
import { isoOrNull } from '../../platform/http/dates.js';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { type ProjectDeletion, type ProjectDeletionState } from '../../kernel/projects/project-deletion.entity.js';

const states: readonly ProjectDeletionState[] = ['pending', 'running', 'completed'];
const moment = { type: String, format: 'date-time', nullable: true } as const;
const rows = { type: 'object', additionalProperties: { type: 'integer' } } as const;

export class DeleteProjectQuery {
  @QueryParam(
    field.text({
      required: true,
      says: 'must be the name of the project, once',
      description: 'The name of the project, exactly as `GET` shows it: it confirms that this project is meant.',
      example: 'Web shop',
    }),
  )
  confirm_name: string;
}

export class RemovedRowsDto {
  @ApiProperty({ ...rows, description: 'Rows removed so far, by table.', example: { events: 1200, persons: 40 } })
  postgresql: Readonly<Record<string, number>>;

  @ApiProperty({
    ...rows,
    description: 'Rows that were counted before the removal, by table, with those found later.',
    example: { events: 1200, persons: 40 },
  })
  clickhouse: Readonly<Record<string, number>>;
}

export class ProjectDeletionDto {
  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  id: string;

  @ApiProperty({
    type: 'integer',
    description: 'The id of the deleted project, which is never used again.',
    example: 2,
  })
  project_id: number;

  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7f' })
  project_uuid: string;

  @ApiProperty({ example: 'Web shop' })
  project_name: string;

  @ApiProperty({ enum: states, example: 'completed' })
  state: ProjectDeletionState;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The id of the user; null for an operator at the command line.',
    example: 1,
  })
  requested_by: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The `X-Request-Id` of the request; null for an operator at the command line.',
    example: 'clean-up-7',
  })
  request_id: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  requested_at: string;

  @ApiProperty({ ...moment, example: '2026-01-02T10:00:01.000Z' })
  started_at: string | null;

  @ApiProperty({ type: RemovedRowsDto })
  removed: RemovedRowsDto;

  @ApiProperty({
    ...moment,
    description: 'The time at which neither store had a row of the project, and the project itself was removed.',
    example: '2026-01-02T10:00:09.000Z',
  })
  completed_at: string | null;

  @ApiProperty({
    ...moment,
    description: 'The last time at which both stores were counted and had nothing of the project.',
    example: '2026-01-02T10:10:09.000Z',
  })
  verified_at: string | null;

  @ApiProperty({
    ...moment,
    description:
      'The time of the second look, ten minutes after the first: work that was under way when the project was deleted, such as ' +
      'the calculation of a cohort, may have written to ClickHouse until then. Null before it.',
    example: '2026-01-02T10:10:09.000Z',
  })
  settled_at: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The reason why the last attempt did not finish; the job retries by itself.',
    example: null,
  })
  error: string | null;
}

export const toProjectDeletionDto = (deletion: ProjectDeletion): ProjectDeletionDto => ({
  id: deletion.id,
  project_id: deletion.deletedProjectId,
  project_uuid: deletion.projectUuid,
  project_name: deletion.projectName,
  state: deletion.state,
  requested_by: deletion.requestedBy,
  request_id: deletion.requestId,
  requested_at: deletion.requestedAt.toISOString(),
  started_at: isoOrNull(deletion.startedAt),
  removed: { postgresql: deletion.removedFromPostgresql, clickhouse: deletion.removedFromClickhouse ?? {} },
  completed_at: isoOrNull(deletion.completedAt),
  verified_at: isoOrNull(deletion.verifiedAt),
  settled_at: isoOrNull(deletion.settledAt),
  error: deletion.error,
});
