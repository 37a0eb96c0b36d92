import { ProblemError } from '../api/problem-error';

/** Saves what is at an address, which may be a `data:` or `blob:` address, as a file. */
export const downloadFrom = (address: string, filename: string): void => {
  const link = document.createElement('a');
  link.href = address;
  link.download = filename;
  link.click();
};

export const downloadText = (text: string, type: string, filename: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type }));
  downloadFrom(address, filename);
  // The browser has begun to read the file once the event loop has turned.
  setTimeout(() => URL.revokeObjectURL(address), 1000);
};

/** Sends a question and saves its answer as a file. */
export const downloadAnswer = async (path: string, body: unknown, filename: string): Promise<void> => {
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw ProblemError.of(await response.json().catch(() => null), response.status);
  downloadText(await response.text(), 'text/csv', filename);
};
