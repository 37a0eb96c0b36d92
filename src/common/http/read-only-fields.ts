import { type Type } from '@nestjs/common';

const answers = new WeakMap<object, Type<object>>();

/** A record may be sent back as it was read: the fields that only answers have are accepted and ignored. */
export const SentBackAs =
  (answer: Type<object>): ClassDecorator =>
  (body) => {
    answers.set(body, answer);
  };

const none: ReadonlySet<string> = new Set();

/** The names come from the decorators that describe the answer in the API document. */
export const readOnlyFieldsOf = (body: Type<object>): ReadonlySet<string> => {
  const answer = answers.get(body);
  if (!answer) return none;
  const described = (Reflect.getMetadata('swagger/apiModelPropertiesArray', answer.prototype as object) ??
    []) as string[];
  return new Set(described.map((name) => name.replace(/^:/, '')));
};
