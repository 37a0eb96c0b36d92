import { type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

/** The method of a controller that answers a route. */
export type Handler = ReturnType<ExecutionContext['getHandler']>;

/** Reads the values that decorators have set on a handler. */
export const declared = new Reflector();
