import { type Type } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { type Page, PageDto } from '../../platform/http/page.dto.js';
import { maxQuoted } from './warning-limits.js';

const warningCodes = [
  'unknown_event',
  'unknown_property',
  'no_number',
  'no_path',
  'mixed_types',
  'not_checked',
] as const;

/** Names something in a question that is probably a mistake. */
export class QuestionWarningDto {
  @ApiProperty({
    enum: warningCodes,
    description:
      'With `not_checked` the names in the question were not checked, because this took too long: other warnings about them may be missing.',
    example: 'unknown_event',
  })
  code: (typeof warningCodes)[number];

  @ApiProperty({ example: 'no event named sigend up has arrived: did you mean signed up?' })
  detail: string;
}

/**
 * Says that names were not checked. Otherwise warnings would appear with one request and not with the next, depending on the
 * load of the computer.
 */
export const notChecked = (names: readonly string[]): QuestionWarningDto => ({
  code: 'not_checked',
  detail: `the check whether ${names.map((name) => name.slice(0, maxQuoted)).join(', ')} has ever arrived took too long: ask again to have it checked`,
});

/** Warns, in a question in SQL, that a property is read as text: it is a number there only if all of its values are numbers. */
export const mixedTypes = ({ owner, key }: { readonly owner: string; readonly key: string }): QuestionWarningDto => ({
  code: 'mixed_types',
  detail: `the ${owner} property ${key.slice(0, maxQuoted)} has numbers and other values, so it is compared and sorted as text: write toFloat(…) around it to read the numbers`,
});

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
