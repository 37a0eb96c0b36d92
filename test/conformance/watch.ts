import { type OpenAPIObject } from '@nestjs/swagger';
import { Documented } from '../support/documented.js';
import { type Watch } from './http.js';

/** Holds every answer to the document that the service itself serves. */
export const watchOf = async (url: string): Promise<Watch> => {
  const answer = await fetch(new URL('/openapi.json', url));
  const documented = new Documented((await answer.json()) as OpenAPIObject);
  return (method, path, { status, headers, text }) =>
    documented.check(method, path, { status, text, headers: { 'content-type': headers.get('content-type') ?? '' } });
};
