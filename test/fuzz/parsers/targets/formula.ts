import { maxFormulaLength, parseFormula } from '../../../../src/analytics/trends/formula.js';
import { acceptedBy, demand, assertEqual, type ParserTarget } from '../target.js';

const seriesCount = 5;
const numbers = [
  [1, 2, 3, 4, 5],
  [0, 0, 0, 0, 0],
  [-1e308, 1e308, 1e-300, 9e15, 0.1],
];

/** A formula is refused, or gives a finite number for whatever numbers, and names only series that exist. */
const target: ParserTarget = {
  maxBytes: 450,
  words: ['A', 'B', 'e', '(', ')', '+', '-', '*', '/', '1.5', '.5', '2.', ' ', '((((((', '------'],
  run: (input) => {
    const text = input.toString('utf8');
    const formula = acceptedBy(() => parseFormula(text, seriesCount));
    if (formula === null) return;
    demand(
      formula.uses.every((at) => Number.isInteger(at) && at >= 0 && at < seriesCount),
      'a formula names series that exist',
    );
    for (const each of numbers) demand(Number.isFinite(formula.at(each)), 'a formula gives a finite number');
    if (text.length > maxFormulaLength - 2) return;
    const spaced = parseFormula(` ${text} `, seriesCount);
    assertEqual(numbers.map(spaced.at), numbers.map(formula.at), 'space means nothing');
  },
};

export default target;
