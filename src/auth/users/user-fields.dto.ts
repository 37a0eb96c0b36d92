import { field } from '../../platform/fields/field.js';
import { emailFaults, emailLength, emailShape } from './email.js';

/** The fields for e-mail, names and passwords in all bodies. */
export const emailField = field.text({
  required: true,
  ...emailLength,
  rules: [{ holds: (email) => emailShape.test(email), says: emailFaults.shape }],
  example: 'grace@example.test',
});

export const nameField = (example: string) => field.text({ max: 100, example });

/** Passwords must be too long to guess; there are no rules about kinds of characters. */
export const newPasswordField = field.text({
  format: 'password',
  min: 12,
  max: 1024,
  example: 'correct horse battery staple',
});

export const passwordField = (description?: string) =>
  field.text({ format: 'password', min: 1, max: 1024, description, example: 'correct horse battery staple' });
