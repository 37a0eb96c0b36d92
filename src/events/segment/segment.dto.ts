import { ApiProperty } from '@nestjs/swagger';
import { CaptureReplyDto } from '../capture/capture.dto.js';

export class SegmentReplyDto extends CaptureReplyDto {
  @ApiProperty({ enum: [true], description: 'What clients of Segment read.', example: true })
  success: true;
}
