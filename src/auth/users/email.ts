export const emailShape = /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u;

export const emailLength = { min: 3, max: 320 } as const;

/** Each text continues a sentence that starts with the name of the field. */
export const emailFaults = {
  length: `must have ${emailLength.min} to ${emailLength.max} characters`,
  shape: 'must be an e-mail address such as grace@example.test',
} as const;

/** Returns the fault of an e-mail for a new user; null when there is none. */
export const emailFault = (text: string): string | null => {
  if (!emailShape.test(text)) return emailFaults.shape;
  return text.length < emailLength.min || text.length > emailLength.max ? emailFaults.length : null;
};
