#!/usr/bin/env -S node --max-semi-space-size=8
import { spawn } from 'node:child_process';
import { accessSync, constants, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';

/**
 * `kohort` starts the service, `kohort demo` one that fills itself with data to look at, and `kohort <command>` runs a command.
 * Node takes three seconds of processor time to compile the program, so this loads what V8 has compiled before. A cache is
 * of use only to the same release of Node with the same flags on such a processor, and its name says to which.
 */
const file = join(import.meta.dirname, '..', 'dist', 'bundle', 'kohort.cjs');
const cache = `${file}.${cachedDataVersionTag()}.cache`;

const readCache = () => {
  try {
    return readFileSync(cache);
  } catch {
    return undefined;
  }
};

const load = (cachedData) => {
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'latin1')}\n})`;
  const script = new Script(source, { filename: file, cachedData });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  return { script, program: module.exports };
};

const writeCache = async () => {
  const { script, program } = load(undefined);
  await Promise.all([program.application(), program.commandModule()]);
  const written = `${cache}.${process.pid}`;
  writeFileSync(written, script.createCachedData());
  renameSync(written, cache);
};

/** Beside the service, so that only its first start is slow. */
const compileForLater = () => {
  try {
    accessSync(dirname(file), constants.W_OK);
  } catch {
    return;
  }
  const options = { cwd: '/', detached: true, stdio: 'ignore' };
  spawn(process.execPath, [...process.execArgv, import.meta.filename, '--compile'], options).unref();
};

const word = process.argv[2];
if (word === '--compile') void writeCache().then(() => process.exit());
else {
  const cachedData = readCache();
  const { script, program } = load(cachedData);
  const isService = word === undefined || word === 'demo';
  if (isService && (!cachedData || script.cachedDataRejected)) compileForLater();
  void (isService ? program.service() : program.commands());
}
