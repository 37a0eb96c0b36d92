import { ApiProperty } from '@nestjs/swagger';
import { backgroundTasks, type BackgroundTask } from '../../platform/telemetry/background-runs.js';

export class LiveDto {
  @ApiProperty({ example: 'ok' })
  status: string;
}

export class CheckDto {
  @ApiProperty({ example: true })
  ok: boolean;

  @ApiProperty({ example: 'answered in 1 ms' })
  detail: string;
}

export class ChecksDto {
  @ApiProperty({ type: CheckDto })
  postgres: CheckDto;

  @ApiProperty({ type: CheckDto })
  clickhouse: CheckDto;

  @ApiProperty({ type: CheckDto })
  migrations: CheckDto;

  @ApiProperty({
    type: CheckDto,
    description:
      'The lag of ClickHouse, which does not make the service unready; or why its database answers no questions.',
  })
  projection: CheckDto;
}

export class CanDto {
  @ApiProperty({
    example: true,
    description: 'Take in events and other changes: PostgreSQL takes them and is migrated.',
  })
  capture: boolean;

  @ApiProperty({
    example: true,
    description: 'Answer questions: PostgreSQL and ClickHouse answer, and ClickHouse has what PostgreSQL has.',
  })
  answer: boolean;
}

export class ReadyDto {
  @ApiProperty({ enum: ['ready', 'not_ready', 'stopping'], example: 'ready' })
  status: 'ready' | 'not_ready' | 'stopping';

  @ApiProperty({
    type: CanDto,
    description:
      'What the process can do now. With the API it is ready when it can capture; a worker when it can also fill ClickHouse.',
  })
  can: CanDto;

  @ApiProperty({ type: ChecksDto })
  checks: ChecksDto;
}

export class BackgroundWorkDto {
  @ApiProperty({ enum: backgroundTasks, example: 'cohorts' })
  task: BackgroundTask;

  @ApiProperty({
    type: 'integer',
    description: 'Cohorts, imports, requests, messages; of compression projects, of the archive days. At most 10000.',
    example: 2,
  })
  waiting: number;

  @ApiProperty({ description: 'For so long the oldest of them has been due; 0 when nothing waits.', example: 12.5 })
  oldest_waiting_seconds: number;
}
