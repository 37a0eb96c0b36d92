import { type Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { PageDto, type Page } from '../common/pagination/page.js';

/** What a question probably does not mean. */
export class QuestionWarningDto {
  @ApiProperty({ enum: ['unknown_event', 'unknown_property', 'no_number', 'no_path'], example: 'unknown_event' })
  code: 'unknown_event' | 'unknown_property' | 'no_number' | 'no_path';

  @ApiProperty({ example: 'no event named sigend up has arrived: did you mean signed up?' })
  detail: string;
}

/** Documents `warnings` of an answer. */
export const ApiWarnings = (): PropertyDecorator =>
  ApiPropertyOptional({
    type: [QuestionWarningDto],
    description:
      'What is probably not as it was meant, such as events that have never arrived; absent when there is nothing.',
  });

export interface WarnedPage<T> extends Page<T> {
  readonly warnings?: readonly QuestionWarningDto[];
}

/** A page of a list that explains why it is empty. */
export const WarnedPageDto = <T>(item: Type<T>): Type<WarnedPage<T>> => {
  class ItemPage extends PageDto(item) {
    @ApiWarnings()
    warnings?: QuestionWarningDto[];
  }
  Object.defineProperty(ItemPage, 'name', { value: `${item.name.replace(/Dto$/, '')}Page` });
  return ItemPage;
};
