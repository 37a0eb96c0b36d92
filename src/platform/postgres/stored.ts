type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? '' : '_'}${Lowercase<First>}${SnakeCase<Rest>}`
  : '';

/** The row of an entity as a hand-written statement reads it: under the names of the columns. */
export type Stored<Entity> = {
  readonly [Property in keyof Entity & string as SnakeCase<Property>]: Entity[Property];
};
