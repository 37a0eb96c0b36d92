import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { DateTime } from 'luxon';
import { requireDate } from './dates.js';
import { type Calendar } from './intervals.js';
import { isStorable, storable } from './storable.js';

/** Declares `after` or `before` of a list, which `timeBound` reads. */
export const ApiTimeBound = (description: string, example: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      description: `${description} ISO date, in the project’s time zone when it names none, or relative such as \`-7d\`, \`-24h\`.`,
      example,
    }),
    IsOptional(),
    IsString({ message: '$property must be given once' }),
  );

/** Null without a bound. A date in a year that no event can have excludes all events, or none. */
export const timeBound = (
  text: string | undefined,
  attr: 'after' | 'before',
  now: Date,
  calendar: Calendar,
): Date | null => {
  if (text === undefined) return null;
  const distant = DateTime.fromISO(text, { zone: 'utc' });
  if (distant.isValid && !isStorable(distant.toMillis())) return storable(distant.toJSDate());
  return requireDate(text, attr, now, calendar).at.toJSDate();
};
