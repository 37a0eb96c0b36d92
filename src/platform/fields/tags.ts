import { field } from './field.js';

const [most, longest] = [50, 255];

/** Labels of a record by which its users find it. */
export const tagsField = field.list(field.text({ min: 1, max: longest, withoutNul: true }), {
  max: most,
  nullable: true,
  says: 'must be a list of texts',
  entries: `must be a list of texts of 1 to ${longest} characters`,
  many: `must have at most ${most} entries`,
  description: 'Labels; stored once each, in alphabetical order.',
  example: ['checkout'],
});

export const storedTags = (tags: readonly string[] | null): string[] => [...new Set(tags ?? [])].sort();
