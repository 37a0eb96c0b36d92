import { ApiProperty } from '@nestjs/swagger';
import { field } from '../fields/field.js';
import { BodyField } from './field-decorators.js';

/** A body whose `deleted: true` deletes the record, as clients of the reference product do it, which has no DELETE. */
export interface DeletableBody {
  readonly deleted?: boolean | null;
}

/** The field of the body of a PATCH. */
export const DeletedField = () =>
  BodyField(
    field.jsonBoolean({
      nullable: true,
      description: '`true` deletes the record, as DELETE does; the other fields then have no effect.',
      example: false,
    }),
  );

/** The property of the answers. */
export const DeletedProperty = (): PropertyDecorator =>
  ApiProperty({ description: 'True only in the answer to the request that deletes the record.', example: false });

interface Ways<Answer> {
  readonly get: () => Promise<Answer>;
  readonly remove: () => Promise<void>;
  readonly update: () => Promise<Answer>;
}

/** Answers a PATCH: updates the record, or deletes it and returns it as it was. */
export const updateOrDelete = async <Answer extends { readonly deleted: boolean }>(
  body: DeletableBody,
  { get, remove, update }: Ways<Answer>,
): Promise<Answer> => {
  if (body.deleted !== true) return update();
  const record = await get();
  await remove();
  return { ...record, deleted: true };
};
