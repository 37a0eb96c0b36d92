import { HighlightStyle } from '@codemirror/language';
import { tags } from '@lezer/highlight';

/** Colours with enough contrast on a dark page. */
export const darkHighlight = HighlightStyle.define([
  { tag: tags.keyword, color: '#c4a7ff' },
  { tag: [tags.string, tags.special(tags.string)], color: '#8fd694' },
  { tag: [tags.number, tags.bool, tags.null], color: '#f5b971' },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], color: '#9aa4b2', fontStyle: 'italic' },
  { tag: [tags.typeName, tags.standard(tags.name)], color: '#7cc4ff' },
  { tag: tags.operator, color: '#e0e0e0' },
]);
