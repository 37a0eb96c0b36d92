import { type OpenAPIObject } from '@nestjs/swagger';

/**
 * True if a POST of the private API notes its commits under its `Idempotency-Key`: not one that only reads, as the document
 * says, nor the import, which knows its events by their uuids.
 */
export const notesCommits = ({ paths }: OpenAPIObject, path: string): boolean =>
  !path.endsWith('/import') && !paths[path]?.post?.description?.includes('The answer is not stored');
