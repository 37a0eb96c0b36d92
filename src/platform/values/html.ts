/** Text as it may stand in HTML, in quotes too. */
export const escapedHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
