export const emailShape = /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u;

export const emailLength = { min: 3, max: 320 } as const;

/** Each continues a sentence that begins with the name of the field. */
export const emailFaults = {
  length: `must have ${emailLength.min} to ${emailLength.max} characters`,
  shape: 'must be an e-mail address such as grace@example.test',
} as const;

/** Says what is wrong with the e-mail of a new user; null when nothing is. */
export const emailFault = (text: string): string | null => {
  if (!emailShape.test(text)) return emailFaults.shape;
  return text.length < emailLength.min || text.length > emailLength.max ? emailFaults.length : null;
};
