import { type AccountType } from '../api/types';
import { type Noun } from '../ui/format';

/** A name in the middle of a sentence: "Company" is "company", and "VIP team" stays. */
export const lowered = (name: string): string =>
  name.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLocaleLowerCase('en'));

const pluralOf = (one: string): string => {
  if (/[^aeiou]y$/i.test(one)) return `${one.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(one) ? `${one}es` : `${one}s`;
};

/** The words for one account of a type and for several: the names that people gave it, else that by which events name it. */
export const nounOfType = ({ group_type: type, name_singular: singular, name_plural: plural }: AccountType): Noun => {
  const one = lowered(singular || type);
  return [one, plural ? lowered(plural) : pluralOf(one)];
};

/** Before the types are known, and of a type that the project does not have. */
const anyAccount: Noun = ['account', 'accounts'];

export const nounOfIndex = (types: readonly AccountType[], index: number): Noun => {
  const type = types.find(({ group_type_index: known }) => known === index);
  return type ? nounOfType(type) : anyAccount;
};

/** At the beginning of a line: "Companies". */
export const capital = (text: string): string => text.replace(/^\p{Ll}/u, (letter) => letter.toLocaleUpperCase('en'));

/** With its article: "a company", "an organization". */
export const oneOf = ([one]: Noun): string => `${/^[aeio]/i.test(one) ? 'an' : 'a'} ${one}`;

/** The name by which questions call the key of the account itself, among the names of its properties. */
export const keyProperty = '$group_key';
