import { describe, expect, it } from '@jest/globals';
import { PartialType } from '@nestjs/swagger';
import { Problem } from '../errors/problem.js';
import { field } from '../fields/field.js';
import { BodyField } from './field-decorators.js';
import { validBody } from './validation.js';

class PartBody {
  @BodyField(field.jsonInteger({ required: true, min: 1, max: 9 }))
  id: number;
}

class WholeBody {
  @BodyField(field.text({ required: true, min: 2, max: 4, withoutNul: true }))
  name: string;

  @BodyField(field.jsonInteger({ min: 0, max: 6, says: 'must be a day', nullable: false }))
  day?: number;

  @BodyField(
    field.list(field.choice(['a', 'b'], {}), {
      min: 1,
      entries: 'must each be a or b',
      few: 'must name one',
      unique: 'must name each once',
    }),
  )
  kinds?: ('a' | 'b')[];

  @BodyField(field.listOf(PartBody, { max: 2, entries: 'must be objects', many: 'must have at most 2 parts' }))
  parts?: PartBody[] | null;
}

class ChangeBody extends PartialType(WholeBody) {}

class MistakenBody {
  // @ts-expect-error A number is no text.
  @BodyField(field.text({}))
  count?: number;
}

const refusalOf = async (dto: new () => object, body: Record<string, unknown>): Promise<unknown> => {
  try {
    await validBody(dto, body);
    return null;
  } catch (error) {
    if (error instanceof Problem) return [error.attr, error.detail];
    throw error;
  }
};

const documented = (name: string): unknown =>
  Reflect.getMetadata('swagger/apiModelProperties', WholeBody.prototype, name) as unknown;

describe('a field of a body', () => {
  it.each([
    [{}, ['name', 'name is required']],
    [{ name: null }, ['name', 'name is required']],
    [{ name: 3 }, ['name', 'name must be text']],
    [{ name: 'a' }, ['name', 'name must have 2 to 4 characters']],
    [{ name: 'a\0b' }, ['name', 'name must not contain NUL characters']],
    [{ name: 'ada' }, null],
    // A character of two code units is one.
    [{ name: '😀😀😀' }, null],
    [{ name: 'ada', day: '3' }, ['day', 'day must be a day']],
    [{ name: 'ada', day: null }, ['day', 'day must be a day']],
    [{ name: 'ada', day: 7, kinds: 3 }, ['day', 'day must be a day']],
    [{ name: 'ada', kinds: 'a' }, ['kinds', 'kinds must be a list']],
    [{ name: 'ada', kinds: [] }, ['kinds', 'kinds must name one']],
    [{ name: 'ada', kinds: ['c'] }, ['kinds', 'kinds must each be a or b']],
    [{ name: 'ada', kinds: ['a', 'a'] }, ['kinds', 'kinds must name each once']],
    [{ name: 'ada', kinds: null, parts: null }, null],
    [{ name: 'ada', parts: [1] }, ['parts', 'parts must be objects']],
    [{ name: 'ada', parts: [{ id: 1 }, { id: 0 }] }, ['parts.1.id', 'id must be an integer from 1 to 9']],
    [{ name: 'ada', parts: [{}, {}, {}] }, ['parts', 'parts must have at most 2 parts']],
  ])('of %j: %j', async (body, refusal) => {
    expect(await refusalOf(WholeBody, body)).toEqual(refusal);
  });

  it('may be missing in a change, and keeps its bounds', async () => {
    expect(await refusalOf(ChangeBody, {})).toBeNull();
    expect(await refusalOf(ChangeBody, { name: 'a' })).toEqual(['name', 'name must have 2 to 4 characters']);
  });

  it('is documented with the bounds that it has', () => {
    expect(documented('name')).toMatchObject({ type: 'string', minLength: 2, maxLength: 4, required: true });
    expect(documented('day')).toMatchObject({ type: 'integer', minimum: 0, maximum: 6, required: false });
    expect(documented('kinds')).toMatchObject({
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { type: 'string', enum: ['a', 'b'] },
    });
  });

  it('has a type that its property must have', () => {
    expect(new MistakenBody()).toEqual({});
  });
});
