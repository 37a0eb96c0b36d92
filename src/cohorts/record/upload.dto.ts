import { ApiProperty } from '@nestjs/swagger';
import { type StoredUpload, unmatchedLifetimeDays } from './uploads.repository.js';
import { maxUnmatched, maxUnmatchedCharacters } from './upload-counts.js';

export class UploadDto {
  @ApiProperty({
    type: 'integer',
    description:
      'The rows of the file without its header and blank rows, and the ids of the lists. It is the sum of the other three, once the ' +
      'cohort is filled.',
    example: 4,
  })
  rows: number;

  @ApiProperty({
    type: 'integer',
    description: 'Rows whose person is a member now. The person may have been a member before.',
    example: 2,
  })
  matched: number;

  @ApiProperty({ type: 'integer', description: 'Rows that name no person of the project.', example: 1 })
  unknown: number;

  @ApiProperty({
    type: 'integer',
    description: 'Rows whose person an earlier row of the upload names, by the same or by another id.',
    example: 1,
  })
  duplicates: number;
}

export class UnmatchedDto {
  @ApiProperty({
    description: 'The field of the upload: `csv`, or the path in a list.',
    example: 'csv',
  })
  attr: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The line of the file on which the row begins, counted from 1; null in a list.',
    example: 4,
  })
  line: number | null;

  @ApiProperty({ description: `At most ${maxUnmatchedCharacters} characters of the value.`, example: 'ghost' })
  value: string;
}

export class UploadReportDto extends UploadDto {
  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  uploaded_at: string;

  @ApiProperty({
    type: [UnmatchedDto],
    maxItems: maxUnmatched,
    description:
      `The first ${maxUnmatched} rows that name no person, in the order of the upload. They are kept until the next upload, and for ` +
      `at most ${unmatchedLifetimeDays} days.`,
  })
  unmatched: UnmatchedDto[];
}

export const toUploadReport = ({ uploaded_at, unmatched, ...counts }: StoredUpload): UploadReportDto => ({
  rows: Number(counts.rows),
  matched: Number(counts.matched),
  unknown: Number(counts.unknown),
  duplicates: Number(counts.duplicates),
  uploaded_at: uploaded_at.toISOString(),
  unmatched: unmatched.slice(0, maxUnmatched).map(({ source, at, value }) => ({
    attr: source === 'csv' ? source : `${source}.${at}`,
    line: source === 'csv' ? at : null,
    value,
  })),
});
