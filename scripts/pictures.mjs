import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

/** `npm run pictures`: the pictures of the README, of the console of a demo that is made for them. Needs Chromium. */
const steps = ['product viewed', 'product added', 'order paid'].map((id) => ({ id }));
const pictures = {
  funnel: {
    path: `insights/funnel?events=${encodeURIComponent(JSON.stringify(steps))}&date_from=-30d`,
    shows: 'reached step 3',
  },
  cohort: { path: 'cohorts/1', shows: 'persons at this moment' },
};

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
if (!executablePath) throw new Error('There is no Chromium here: apt-get install chromium');

const dir = await mkdtemp(join(tmpdir(), 'kohort-pictures-'));
const env = { ...process.env, DATA_DIR: join(dir, 'data'), PORT: '0', LOG_LEVEL: 'error' };
const service = spawn(process.execPath, ['bin/kohort.mjs', 'demo'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  let printed = '';
  let link;
  for await (const text of service.stdout) {
    printed += text;
    link = /Console +(\S+)/.exec(printed)?.[1];
    if (link && printed.includes('The demo is ready')) break;
  }
  if (!link) throw new Error(`The demo did not start:\n${printed}`);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  await page.goto(link);
  await page.waitForURL(/\/p\/1\//);
  for (const [name, { path, shows }] of Object.entries(pictures)) {
    await page.goto(`${new URL(link).origin}/p/1/${path}`, { waitUntil: 'networkidle' });
    await page.getByText(shows).waitFor();
    await page.screenshot({ path: `docs/pictures/${name}.png` });
  }
} finally {
  await browser.close();
  service.kill();
  await once(service, 'exit');
  await rm(dir, { recursive: true, force: true });
}
