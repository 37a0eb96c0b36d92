import { ProblemError } from '../api/problem-error';

/** Sends a question and saves its answer as a file. */
export const downloadAnswer = async (path: string, body: unknown, filename: string): Promise<void> => {
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw ProblemError.of(await response.json().catch(() => null), response.status);
  saveFile(URL.createObjectURL(await response.blob()), filename);
};

/** Saves what an address holds, which may be a data or blob address. */
export const saveFile = (address: string, filename: string): void => {
  const link = document.createElement('a');
  link.href = address;
  link.download = filename;
  link.click();
  if (address.startsWith('blob:')) setTimeout(() => URL.revokeObjectURL(address), 60_000);
};
