import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';

const read = (name) => JSON.parse(readFileSync(join(import.meta.dirname, '..', name), 'utf8'));

/**
 * Runs npm for the packages that are shipped, by the lock file alone: in a folder with copies of both files without what is
 * for development. `--omit=dev` would not do, because npm then also leaves out of its list what a package for development
 * needs too, such as Nest itself.
 */
export const npmOfShipped = (...args) => {
  const folder = mkdtempSync(join(tmpdir(), 'kohort-shipped-'));
  try {
    const manifest = { ...read('package.json'), devDependencies: {}, scripts: {} };
    const lock = read('package-lock.json');
    const packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => !dev));
    packages[''] = { ...packages[''], devDependencies: {} };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
    return spawnSync('npm', [...args, '--package-lock-only'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 ** 2,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
};
