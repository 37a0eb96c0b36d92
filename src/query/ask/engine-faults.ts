import { engineCode } from '../../stores/clickhouse/errors.js';
import { invalidInput, Problem } from '../../common/errors/problem.js';

/**
 * What the engine can say about values and types, in our words: its own text names tables and columns as we wrote them.
 */
const meanings: Readonly<Record<string, string>> = {
  '6': 'A text cannot be read as the type that is needed: use toFloat, toInt or a function that ends with OrNull',
  '27': 'A text cannot be read as the type that is needed: use a function that ends with OrNull',
  '35': 'A function has too few arguments',
  '34': 'A function has too many arguments',
  '36': 'A function has an argument that it does not accept',
  '38': 'A text is not a date',
  '41': 'A text is not a date with a time',
  '42': 'A function has another number of arguments than it needs',
  '43': 'A function has an argument of a type that it does not accept: use toFloat, toString or toDate',
  '44': 'A value has a type that is not possible here',
  '47': 'A name is not known here',
  '48': 'This is not supported',
  '49': 'This is not supported',
  '53': 'Two types do not fit: use toFloat, toInt or toString',
  '62': 'This cannot be read',
  '63': 'An aggregate is not known',
  '69': 'A number is out of the bounds of its argument',
  '70': 'A value cannot be converted to the type: use toFloat, toInt or a function that ends with OrNull',
  '72': 'A text is not a number: use toFloat or toInt',
  '125': 'A SELECT in brackets has another number of columns than is needed',
  '128': 'A list is too large',
  '131': 'A text is too long',
  '153': 'An integer is divided by zero',
  '184': 'An aggregate is inside of another one, or where it is not allowed: use a sub-query',
  '190': 'Lists have different lengths',
  '215': 'A column is neither in GROUP BY nor inside of an aggregate: add it to GROUP BY, or use any(column)',
  '117': 'A text has another form than is needed',
  '321': 'A value that is NULL is not possible here: use ifNull',
  '349': 'A value that is NULL cannot have this type: use Nullable(…) or ifNull',
  '376': 'A text is not a UUID',
  '386': 'Values have no type in common: use toFloat or toString',
  '403': 'The condition of a join needs an equation of columns of both tables',
  '407': 'A number is too large for its type',
  '457': 'The value of a placeholder has another type than is needed',
  '469': 'A condition does not hold',
  '476': 'A name is used for different values',
  '691': 'A name is not known here',
  '1001': 'The engine could not compute this',
};

/** Translates an error of the engine that is about the question; every other error stays as it is. */
export const faultOfEngine = (error: unknown, attr: string): Problem | null => {
  if (error instanceof Problem) return null;
  const code = engineCode(error);
  return code === null ? null : invalidInput(meanings[code] ?? 'The engine cannot compute this', attr);
};
