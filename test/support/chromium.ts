import { existsSync } from 'node:fs';

/** Where a browser is installed; undefined where none is. */
export const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => existsSync(path),
);
