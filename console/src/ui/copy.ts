import { notifyDone, notifyProblem } from './notify';

/** Browsers offer the clipboard only on secure addresses; elsewhere a selection is copied, by the only way there is. */
const write = async (text: string): Promise<void> => {
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('The browser blocked copying.');
};

export const copyText = (text: string, what: string): void => {
  write(text).then(() => notifyDone(`${what} copied.`), notifyProblem);
};
