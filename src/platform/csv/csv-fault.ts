/** The text is not CSV; the message names the position. */
export class CsvFault extends Error {}
