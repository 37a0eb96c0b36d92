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
  // The browser has started to read the file after one tick of the event loop.
  setTimeout(() => URL.revokeObjectURL(address), 1000);
};
