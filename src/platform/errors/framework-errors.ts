import { HttpException } from '@nestjs/common';
import { invalidInput, notFound, type Problem, tooLarge, unsupportedMediaType } from './problem.js';

/** Translates errors of Express, its router and Nest that have a status 4xx. Returns null for all other errors. */
export const problemOfHttpError = (error: Error): Problem | null => {
  const status = statusOf(error);
  switch (status) {
    case 404:
      return notFound();
    case 413:
      return tooLarge('The request is too large');
    case 415:
      return unsupportedMediaType('The media type is not supported');
    default:
      if (status === null) return null;
      return isUndecodablePath(error)
        ? invalidInput(
            'The path has a % that is not followed by two hexadecimal digits of UTF-8: write %25 for a percent sign',
          )
        : invalidInput('The request is not valid');
  }
};

const statusOf = (error: Error): number | null => {
  const status: unknown = error instanceof HttpException ? error.getStatus() : 'status' in error ? error.status : null;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : null;
};

const isUndecodablePath = (error: Error): boolean =>
  error instanceof URIError || error.message.startsWith('Failed to decode param');
