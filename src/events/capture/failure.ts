/**
 * The reason why a whole capture request is refused. A value and not an exception, because hostile bytes are ordinary input here.
 */
export interface CaptureFailure {
  ok: false;
  status: 400 | 401 | 413;
  code: 'parse_error' | 'required' | 'too_large' | 'invalid_input' | 'not_authenticated' | 'authentication_failed';
  detail: string;
  attr: string | null;
}

const failure =
  (status: CaptureFailure['status'], code: CaptureFailure['code']) =>
  (detail: string, attr: string | null = null): CaptureFailure => ({ ok: false, status, code, detail, attr });

export const unparsable = failure(400, 'parse_error');
export const missing = failure(400, 'required');
export const invalid = failure(400, 'invalid_input');
export const tooLargeCapture = failure(413, 'too_large');
export const unauthenticated = failure(401, 'not_authenticated');
export const badToken = failure(401, 'authentication_failed');
