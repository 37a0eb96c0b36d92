import { ProblemError } from '../../../api/problem-error';
import { type Cohort } from '../../../api/types';

export interface UploadOptions {
  readonly method: 'POST' | 'PATCH';
  readonly address: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly file: File;
  /** The share of the file that was sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Sends a file of members. `fetch` does not tell how much of a request was sent; XMLHttpRequest does. */
export const uploadMembers = ({ method, address, fields, file, onProgress, signal }: UploadOptions): Promise<Cohort> =>
  new Promise((resolve, reject) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('csv', file);
    const request = new XMLHttpRequest();
    request.open(method, address);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
    request.onload = () => {
      const answer = parsed(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(answer as Cohort);
      else reject(ProblemError.of(answer, request.status));
    };
    request.onerror = () => reject(new Error('The connection to the service was lost.'));
    request.onabort = () => reject(new Error('The upload was cancelled.'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
