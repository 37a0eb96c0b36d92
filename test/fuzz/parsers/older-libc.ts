import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Loaded before Jazzer.js, whose native part was built with glibc 2.38 and GCC 13, while Debian 12 has 2.36 and GCC 12. It needs
 * little of the newer ones: two functions that read numbers, under names that headers have given them since, and the address
 * of a function that does nothing. So where it cannot be loaded, a copy is loaded that does without.
 */
const missingVersions = ['GLIBC_2.38', 'GLIBCXX_3.4.32'];
const newNames = '__isoc23_';
/** It is only referred to, never called. */
const idle = '_ZSt21ios_base_library_initv';

const symbols = 11;
const neededVersions = 0x6ffffffe;
const versionsOfSymbols = 0x6fffffff;
const weakVersion = 2;
const weakBinding = 2;
const unversioned = 1;

interface Section {
  readonly type: number;
  readonly offset: number;
  readonly size: number;
  /** The section with the names of this one. */
  readonly names: number;
}

const sectionsOf = (elf: Buffer): readonly Section[] => {
  const [start, size, count] = [Number(elf.readBigUInt64LE(40)), elf.readUInt16LE(58), elf.readUInt16LE(60)];
  return Array.from({ length: count }, (_, at) => {
    const header = elf.subarray(start + at * size, start + (at + 1) * size);
    return {
      type: header.readUInt32LE(4),
      offset: Number(header.readBigUInt64LE(24)),
      size: Number(header.readBigUInt64LE(32)),
      names: header.readUInt32LE(40),
    };
  });
};

/** Changes a library of 64 bits in place. */
const withOldNames = (elf: Buffer): void => {
  const sections = sectionsOf(elf);
  const sectionOf = (type: number): Section => {
    const found = sections.find((section) => section.type === type);
    if (!found) throw new Error(`the library has no section of type ${type}`);
    return found;
  };
  const nameIn = (section: Section, at: number): string => {
    const from = (sections[section.names]?.offset ?? 0) + at;
    return elf.toString('latin1', from, elf.indexOf(0, from));
  };
  const [table, versions, needs] = [sectionOf(symbols), sectionOf(versionsOfSymbols), sectionOf(neededVersions)];
  for (let at = 0; at * 24 < table.size; at += 1) {
    const symbol = table.offset + at * 24;
    const start = elf.readUInt32LE(symbol);
    const name = nameIn(table, start);
    if (name === idle) elf.writeUInt8((weakBinding << 4) | ((elf[symbol + 4] ?? 0) & 0xf), symbol + 4);
    else if (name.startsWith(newNames)) elf.writeUInt32LE(start + newNames.length, symbol);
    else continue;
    elf.writeUInt16LE(unversioned, versions.offset + at * 2);
  }
  for (let need = needs.offset, isLast = false; !isLast;) {
    let entry = need + elf.readUInt32LE(need + 8);
    for (let left = elf.readUInt16LE(need + 2); left > 0; left -= 1) {
      if (missingVersions.includes(nameIn(needs, elf.readUInt32LE(entry + 8))))
        elf.writeUInt16LE(weakVersion, entry + 4);
      entry += elf.readUInt32LE(entry + 12);
    }
    const next = elf.readUInt32LE(need + 12);
    isLast = next === 0;
    need += next;
  }
};

const load = process.dlopen.bind(process);
process.dlopen = (module: object, file: string, flags?: number): void => {
  const loadFrom = (path: string) => (flags === undefined ? load(module, path) : load(module, path, flags));
  try {
    loadFrom(file);
  } catch (error) {
    if (!missingVersions.some((version) => String(error).includes(`version \`${version}' not found`))) throw error;
    const copy = join(tmpdir(), `jazzer-${process.pid}.node`);
    const elf = readFileSync(file);
    withOldNames(elf);
    writeFileSync(copy, elf);
    try {
      loadFrom(copy);
    } finally {
      rmSync(copy);
    }
  }
};
