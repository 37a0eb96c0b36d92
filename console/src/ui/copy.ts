import { notifyDone, notifyProblem } from './notify';

/** Browsers offer the clipboard only on secure addresses; elsewhere a selection is copied. */
const write = async (text: string): Promise<void> => {
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way on an address without https
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('The browser did not allow copying.');
};

export const copyText = (text: string, what: string): void => {
  write(text).then(() => notifyDone(`${what} copied.`), notifyProblem);
};
