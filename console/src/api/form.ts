/** The fields of a body as a form, with a file of members, which may have any number of them; a list in JSON may not. */
export const formOf = (fields: object, csv: Blob): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  form.set('csv', csv);
  return form;
};
