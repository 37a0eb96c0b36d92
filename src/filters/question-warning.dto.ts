import { ApiProperty } from '@nestjs/swagger';

/** What a question probably does not mean. */
export class QuestionWarningDto {
  @ApiProperty({ enum: ['unknown_event', 'unknown_property'], example: 'unknown_event' })
  code: 'unknown_event' | 'unknown_property';

  @ApiProperty({ example: 'no event named sigend up has arrived: did you mean signed up?' })
  detail: string;
}
