import { formOf } from '../../../api/form';

/**
 * Sends the fields of a request with a file of members as a form, and tells which share of it was sent, from 0 to 1. `fetch` does
 * not tell that; XMLHttpRequest does.
 */
export const withFile = (file: File, onProgress: (share: number) => void) => {
  let form = new FormData();
  return {
    bodySerializer: (fields: object): FormData => (form = formOf(fields, file)),
    fetch: ({ method, url, signal }: Request): Promise<Response> =>
      new Promise((resolve, reject) => {
        const request = new XMLHttpRequest();
        request.open(method, url);
        request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total);
        request.onload = () => resolve(new Response(request.responseText, { status: request.status }));
        request.onerror = () => reject(new Error('The connection to the service was lost.'));
        request.onabort = () => reject(new Error('The upload was cancelled.'));
        signal.addEventListener('abort', () => request.abort(), { once: true });
        request.send(form);
      }),
  };
};
