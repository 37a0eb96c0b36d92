import { type SourcePosition } from '../fault.js';
import { type Expression } from '../tree.js';
import { type Checking } from './checking.js';

/** Reads the content of one kind of node. */
export type NodeReader = (checking: Checking, content: unknown, at: SourcePosition) => Expression;
