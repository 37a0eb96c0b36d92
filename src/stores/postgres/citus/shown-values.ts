/** A value that a statement hides from the planner, whose statistics may be older than the project. */
const hidden = /\(SELECT (\$\d+::\w+(?:\[\])?)\)/g;

let areShown = false;
const shown = new Map<string, string>();

/** From now on all statements of this process show their values: Citus finds the node of a project by its id. */
export const showValuesToCitus = (): void => {
  areShown = true;
};

/** The text as it is sent. There are few texts, because values are no part of them. */
export const textToSend = (text: string): string => {
  if (!areShown || !text.includes('(SELECT $')) return text;
  const known = shown.get(text);
  if (known !== undefined) return known;
  const made = text.replace(hidden, '$1');
  shown.set(text, made);
  return made;
};
